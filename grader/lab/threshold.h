// Provides the speedups that a lab requires on a simulated device.
#ifndef LAB_THRESHOLD_H
#define LAB_THRESHOLD_H

#include "lab/lab.h"

struct lab_threshold {
    double minimum, full; // speedups over the baseline that are needed to pass, and for full marks
};
// Returns the speedups that a lab requires on a simulated device (the thresholds). `device` is the name of the device's
// profile, or NULL for the default device. The thresholds come from the table in threshold.def. If threshold.def has no
// row for the lab and device, lab_threshold() returns the lab's own thresholds, which were measured on an H200.
struct lab_threshold lab_threshold(const struct lab *, const char *device);

#endif
