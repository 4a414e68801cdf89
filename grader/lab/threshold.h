// Provides a lab's thresholds, that is, the speedups that the lab requires on a device.
#ifndef LAB_THRESHOLD_H
#define LAB_THRESHOLD_H

#include "lab/lab.h"

// LAB_ALLOWANCE is the fraction of an example kernel's speedup that a lab requires. The factor LAB_ALLOWANCE allows for
// the inexact times of the timing model, and for another author's way of writing the same kernel.
#define LAB_ALLOWANCE 0.85

// LAB_THRESHOLD_VERSION is the version of all labs' thresholds, which each report names. `tools/ladder version` counts
// the version up when a threshold has changed, and writes the checksum of the thresholds beside it.
#define LAB_THRESHOLD_VERSION 3 // c6ae3dc6da81

// Speedups over the baseline.
struct lab_threshold {
    double minimum; // least speedup that passes; 0: the lab requires no minimum on the device
    double lesson;  // speedup of the lesson's step, which earns most of the points; 0: unknown
    double full;    // least speedup that earns all points
    int version;    // LAB_THRESHOLD_VERSION; 0: './grade calibrate' measured the two example kernels on this machine
};
// Returns the speedups that a lab requires on a simulated device. `device` is the name of the device's profile, or NULL
// for the default device. The speedups of the lab's two marked example kernels come from the table in threshold.def. If
// threshold.def has no row for the lab and device, lab_threshold() takes the speedups in struct lab, which were
// measured on an H200.
struct lab_threshold lab_threshold(const struct lab *, const char *device);
// Returns the speedups, without a version, that a lab requires if the example kernel of the lesson has the speedup
// `lesson`, and the furthest example kernel that uses only taught ideas has the speedup `furthest`.
struct lab_threshold lab_threshold_of(double lesson, double furthest);

#endif
