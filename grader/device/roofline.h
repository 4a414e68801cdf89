// The roofline of a device: the highest rate that a kernel can reach, given its operations for each byte of memory
// traffic (Williams, Waterman, Patterson: "Roofline: an insightful visual performance model", CACM 2009).
#ifndef DEVICE_ROOFLINE_H
#define DEVICE_ROOFLINE_H

#include "device/profile.h"

// Returns the peak rate of the float units in GFLOP/s. A fused multiply-add counts as two operations.
double roofline_peak(const struct device_profile *);
// Returns the highest rate in GFLOP/s with `flop` operations for each byte of device memory. It is limited by the
// memory bandwidth or by the float units.
double roofline_bound(const struct device_profile *, double flop);
// Returns the operations for each byte at which both limits are equal. Above, memory no longer limits the rate.
double roofline_ridge(const struct device_profile *);

#endif
