// The speedups that a lab asks for on a simulated device.
#ifndef LAB_THRESHOLD_H
#define LAB_THRESHOLD_H

#include "lab/lab.h"

struct lab_threshold {
    double minimum, full; // to pass, and for full marks: times the baseline
};
// Returns the thresholds of a lab on a device. `device` is the name of its profile, or NULL for the default. They are
// the rows of threshold.def, or the lab's own, measured on an H200, if there is no row.
struct lab_threshold lab_threshold(const struct lab *, const char *device);

#endif
