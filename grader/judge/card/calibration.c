// Computes the threshold for another card by interpolation between kernels.
//
// The interpolation is piecewise linear in the logarithms of speedups. The interpolation starts at the baseline, whose
// speedup is 1 on both cards. The interpolation then passes through the kernels in the order of their speedup on the
// original card. Two kernels may be in the opposite order on the new card. If the order of two kernels changes, the
// higher of their new speedups counts for both kernels. Thus a higher threshold on the original card never becomes a
// lower threshold on the new card. For a threshold beyond the last kernel, the ratio of the last kernel's two speedups
// applies.
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
