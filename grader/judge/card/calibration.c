// Computes the speedup that a lab requires on another GPU, by interpolation between kernels whose speedups are known on
// that GPU and on the GPU for which the lab was designed.
//
// The interpolation of required speedups is piecewise linear in the logarithms of speedups. Each point of the
// interpolation is a kernel with its speedups on two GPUs: the original GPU, for which the lab's thresholds were
// chosen, and the new GPU. The first point of the interpolation is the baseline, whose speedup over itself is 1 on the
// original GPU and on the new GPU. The other points of the interpolation are the known kernels, sorted by their
// speedups on the original GPU. If a kernel A is faster than a kernel B on the original GPU, but slower than B on the
// new GPU, the interpolation uses B's speedup on the new GPU also for A. A higher threshold on the original GPU
// therefore never becomes a lower threshold on the new GPU. A threshold above the speedup of the fastest kernel is
// multiplied by a ratio: this kernel's speedup on the new GPU divided by its speedup on the original GPU.
#include "judge/card/calibration.h"

#include <math.h>
#include <stdlib.h>

static int by_home(const void *a, const void *b)
{
    const struct calibration_point *x = a, *y = b;
    return (x->home > y->home) - (x->home < y->home);
}

double calibration_threshold(struct calibration_point *point, size_t count, double threshold)
{
    struct calibration_point below = {1, 1};
    if (count) qsort(point, count, sizeof *point, by_home);
    for (size_t i = 0; i < count; ++i) {
        struct calibration_point above = point[i];
        if (!(above.home > below.home)) continue;
        if (above.here < below.here) above.here = below.here;
        if (threshold < above.home) {
            double share = log(threshold / below.home) / log(above.home / below.home);
            return below.here * pow(above.here / below.here, share);
        }
        below = above;
    }
    return threshold / below.home * below.here;
}
