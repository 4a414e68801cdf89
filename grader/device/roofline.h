// What a device could do at the most with a kernel that makes so many operations for each byte it moves: the roofline
// (Williams, Waterman, Patterson: "Roofline: an insightful visual performance model", CACM 2009).
#ifndef DEVICE_ROOFLINE_H
#define DEVICE_ROOFLINE_H

#include "device/profile.h"

// GFLOP/s of the float units: a fused multiply-add is two operations.
double device_gflops(const struct device_profile *);
// GFLOP/s with `flop` operations for each byte of device memory: memory's rate times that, or the float units' rate.
double device_roofline(const struct device_profile *, double flop);
// Operations a byte from which on memory is no longer the bound.
double device_ridge(const struct device_profile *);

#endif
