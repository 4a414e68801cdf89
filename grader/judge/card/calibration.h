// Thresholds for a card other than the one that a lab's own were chosen on.
//
// A lab's thresholds lie between kernels: the baseline, the rungs of its ladder, its reference. On another card these
// kernels have other speedups, and the thresholds move with them. A threshold keeps its two neighbours and its share of
// the distance between them, on a log scale because speedups multiply. So the difficulty is the same on every card.
#ifndef JUDGE_CARD_CALIBRATION_H
#define JUDGE_CARD_CALIBRATION_H

#include <stddef.h>

enum { CALIBRATION_POINTS = 16 };

// One kernel's speedup over the baseline, on the original card (home) and on this one (here).
struct calibration_point {
    double home, here;
};
// Returns the threshold on this card for a threshold of the original one. Sorts the points. Without points, returns
// `threshold`.
double calibration_threshold(struct calibration_point *, size_t count, double threshold);

#endif
