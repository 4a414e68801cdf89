// Provides the speedups that a lab requires on a device: its thresholds.
#ifndef LAB_THRESHOLD_H
#define LAB_THRESHOLD_H

#include "lab/lab.h"

// The part of a step's speedup that a lab requires. It allows for the inexact times of the timing model, and for
// another author's way of writing the same kernel.
#define LAB_ALLOWANCE 0.85

// Speedups over the baseline.
struct lab_threshold {
    double minimum; // least speedup that passes; 0: the lab requires no minimum on the device
    double lesson;  // speedup of the lesson's step, which earns most of the points; 0: unknown
    double full;    // least speedup that earns all points
};
// Returns the speedups that a lab requires on a simulated device. `device` is the name of the device's profile, or NULL
// for the default device. The steps' speedups come from the table in threshold.def. If threshold.def has no row for the
// lab and device, lab_threshold() takes the speedups of the lab's source, which were measured on an H200.
struct lab_threshold lab_threshold(const struct lab *, const char *device);
// Returns the speedups that a lab requires where the lesson's step reaches the speedup `lesson`, and the furthest
// taught step reaches the speedup `furthest`.
struct lab_threshold lab_threshold_of(double lesson, double furthest);

#endif
