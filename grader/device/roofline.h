// Computes the roofline of a device. The roofline is the highest rate that a kernel can reach, given its operations per
// byte of memory traffic (Williams, Waterman, Patterson: "Roofline: an insightful visual performance model", CACM
// 2009).
#ifndef DEVICE_ROOFLINE_H
#define DEVICE_ROOFLINE_H

#include "device/profile.h"

// Returns the peak rate of the float (FP32) units in GFLOP/s. A fused multiply-add counts as two operations.
double roofline_peak(const struct device_profile *);
// Returns the highest rate in GFLOP/s of a kernel with `flop` operations per byte of device memory traffic. The memory
// bandwidth or the float units limit the rate that a kernel reaches.
double roofline_bound(const struct device_profile *, double flop);
// Returns the operations per byte at which the memory bandwidth and the float units limit the rate equally. A kernel
// with more operations per byte than roofline_ridge() returns is not limited by memory.
double roofline_ridge(const struct device_profile *);

#endif
