// See threshold.h.
//
// Technique: the speedup of a kernel depends on the device, so the threshold follows the speedup of the lab's reference
// solution. On a logarithmic scale of speedups, the baseline is at 0 and the reference solution is at 1. A threshold
// has the same position on this scale on every device. The H200 gives the position of a threshold, because the
// lab's own thresholds were measured there. The timing model gives the speedup of the reference solution on each device
// and on the H200. `make devices` computes the rows of threshold.def, so no report depends on how the C library rounds
// pow().
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
