// Computes a lab's thresholds (the required speedups) for a GPU other than the GPU for which the thresholds were
// chosen.
//
// A lab's thresholds lie between the speedups of known kernels: the baseline, the steps of the lab's optimisation
// ladder and the reference solution. On another GPU, the known kernels have other speedups, and the lab's thresholds
// change in proportion. Let two known kernels have the speedups a and b on the original GPU, for which the thresholds
// were chosen, and the speedups a' and b' on the new GPU. A threshold t between a and b becomes a threshold t' between
// a' and b' on the new GPU, with log(t' / a') / log(b' / a') = log(t / a) / log(b / a). The interpolation uses
// logarithms of speedups because speedups multiply. With adapted thresholds, a lab is equally difficult on every GPU.
#ifndef JUDGE_CARD_CALIBRATION_H
#define JUDGE_CARD_CALIBRATION_H

#include <stddef.h>

enum { CALIBRATION_POINTS = 16 };

// Contains the speedups of one known kernel over the baseline. The field `home` is the kernel's speedup on the original
// GPU, for which the lab's thresholds were chosen, and the field `here` is its speedup on this GPU.
struct calibration_point {
    double home, here;
};
// Returns the required speedup on this GPU that corresponds to `threshold`, the required speedup on the GPU for which
// the lab's thresholds were chosen. Sorts the points. Returns `threshold` if `count` is 0.
double calibration_threshold(struct calibration_point *, size_t count, double threshold);

#endif
