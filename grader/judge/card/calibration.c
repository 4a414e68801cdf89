// Computes the speedup that a lab requires on another GPU, by interpolation between kernels whose speedups are known on
// both GPUs.
//
// The interpolation of required speedups is piecewise linear in the logarithms of speedups. The first point of the
// interpolation is the baseline, whose speedup is 1 on both GPUs. The other points of the interpolation are known
// kernels, in the order of their speedup on the original GPU. Two kernels may have the opposite order of speedups on
// the new GPU. If two kernels have the opposite order on the new GPU, the higher of their new speedups counts for both
// kernels. Thus a higher threshold on the original GPU never becomes a lower threshold on the new GPU. A threshold
// above the speedup of the fastest kernel is multiplied by the ratio of this kernel's two speedups.
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
