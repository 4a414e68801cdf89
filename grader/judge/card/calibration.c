// Carries a threshold to another card by interpolation between kernels.
//
// The interpolation is piecewise linear in the logarithms of speedups. It starts at the baseline (1, 1) and passes
// through the kernels in the order of their speedup on the original card. Two kernels may change places on the new
// card. The higher of their two speedups then counts for both, so a higher threshold never becomes a lower one. Beyond
// the last kernel, the last kernel's ratio applies.
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
