// The speedups that a lab asks for on a simulated device.
#ifndef LAB_THRESHOLD_H
#define LAB_THRESHOLD_H

#include "lab/lab.h"

struct lab_threshold {
    double minimum, full; // to pass, and for full marks: times the baseline
};
// `device`: the profile's name, or NULL for the default. The lab's own are those of a card, an H200; a simulated
// device's are carried over by the model (threshold.def); where nothing is known of it they are the lab's own too.
struct lab_threshold lab_threshold(const struct lab *, const char *device);

#endif
