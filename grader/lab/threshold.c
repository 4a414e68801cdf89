// See threshold.h.
//
// Technique: the speedup of a kernel depends on the device. So the threshold follows the speedup of the lab's
// reference. On a log scale from the baseline (0) to the reference (1), a threshold has the same position on every
// device as on an H200, where the lab's own thresholds were measured. The timing model gives the speedup of the
// reference on each device and on the H200. `make devices` computes the rows of threshold.def, so that no report
// depends on the library's powers.
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
