// Thresholds for a card other than the one that a lab's own were chosen on.
//
// A lab's thresholds stand between kernels: the baseline, rungs of its ladder, its reference. On another card these
// have other speedups, and the thresholds move with them: between the same two kernels, at the same share of the way,
// on a log scale, as speedups multiply. So a course meets the same difficulty whatever card it has.
#ifndef JUDGE_CARD_CALIBRATION_H
#define JUDGE_CARD_CALIBRATION_H

#include <stddef.h>

enum { CALIBRATION_POINTS = 16 };

// One kernel's speedup over the baseline: where the lab's thresholds were chosen, and on this card.
struct calibration_point {
    double home, here;
};
// Where a threshold of home lies here. The points are sorted in place. Without points: the threshold itself.
double calibration_threshold(struct calibration_point *, size_t count, double threshold);

#endif
