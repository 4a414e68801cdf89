// Computes a lab's thresholds (the required speedups) for a GPU other than the GPU for which the thresholds were
// chosen.
//
// A lab's thresholds lie between the speedups of known kernels: the baseline, the steps of the lab's optimisation
// ladder and the reference solution. On another GPU, the known kernels have other speedups, and the lab's thresholds
// change in proportion. If a threshold t lies between the speedups a and b of two kernels on the original GPU, the
// adapted threshold t' lies between the speedups a' and b' of the same two kernels on the new GPU. The adapted
// threshold t' between the kernels' speedups a' and b' on the new GPU satisfies log(t' / a') / log(b' / a') = log(t /
// a) / log(b / a). The interpolation uses logarithms of speedups because speedups multiply. With adapted thresholds, a
// lab is equally difficult on every GPU.
#ifndef JUDGE_CARD_CALIBRATION_H
#define JUDGE_CARD_CALIBRATION_H

#include <stddef.h>

enum { CALIBRATION_POINTS = 16 };

// Contains the speedups of one known kernel over the baseline. The field `home` is the kernel's speedup on the original
// GPU, and the field `here` is its speedup on this GPU.
struct calibration_point {
    double home, here;
};
// Returns the required speedup on this GPU that corresponds to the required speedup `threshold` on the original GPU.
// Sorts the points. Returns `threshold` if `count` is 0.
double calibration_threshold(struct calibration_point *, size_t count, double threshold);

#endif
