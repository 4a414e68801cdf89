// Implements threshold.h.
//
// A kernel's speedup depends on the device, so the required speedup (the threshold) is derived from the speedup of the
// lab's reference solution. On a logarithmic scale of a device's speedups, the baseline is at 0 and the reference
// solution is at 1. A lab's threshold has the same position on the logarithmic scales of all devices, such as 0.8
// between the baseline (0) and the reference solution (1). A threshold's position on the logarithmic scale of speedups
// is computed from the lab's thresholds for an H200, the fields `minimum` and `full` of struct lab. The timing model
// computes the speedup of the reference solution on each device and on the H200. The command `make devices` computes
// the rows of threshold.def, so no report depends on how the C library rounds pow().
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
