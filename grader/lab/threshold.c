// See threshold.h.
//
// Technique. What a kernel gains depends on the device: where shared memory is slow, or memory is, another step of a
// lab's ladder brings the most. So a threshold moves with the lab's reference, on a log scale on which the baseline
// stands at 0: it lies as far up the way from baseline to reference on every device as on the card that the labs' own
// were measured on. The model says where the reference stands; so it does of that card, too, whose times it knows but
// nearly. `make devices` writes the rows; powers are taken there, so that no report depends on a library.
#include "lab/threshold.h"

#include <string.h>

static const struct row {
    const char *device, *lab;
    struct lab_threshold threshold;
} rows[] = {
#define THRESHOLD(device, lab, minimum, full) {device, lab, {minimum, full}},
#include "lab/threshold.def"
#undef THRESHOLD
};

struct lab_threshold lab_threshold(const struct lab *lab, const char *device)
{
    if (!device) device = "h200";
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (!strcmp(rows[k].device, device) && !strcmp(rows[k].lab, lab->name)) return rows[k].threshold;
    return (struct lab_threshold){lab->minimum, lab->full};
}
