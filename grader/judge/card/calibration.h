// Computes a lab's thresholds for a card that differs from the card on which the lab's thresholds were chosen.
//
// A lab's thresholds lie between the speedups of known kernels: the baseline, the steps of the lab's optimisation
// ladder and the reference. On another card the known kernels have other speedups, and the thresholds change in
// proportion. On every card, a threshold lies between the same two kernels. A threshold also keeps its relative
// distance to these two kernels, on a logarithmic scale because speedups multiply. The lab is therefore equally
// difficult on every card.
#ifndef JUDGE_CARD_CALIBRATION_H
#define JUDGE_CARD_CALIBRATION_H

#include <stddef.h>

enum { CALIBRATION_POINTS = 16 };

// Contains the speedups of one kernel over the baseline. `home` is the speedup on the original card, and `here` is the
// speedup on this card.
struct calibration_point {
    double home, here;
};
// Returns the threshold on this card that corresponds to `threshold` on the original card. Sorts the points. Returns
// `threshold` if `count` is 0.
double calibration_threshold(struct calibration_point *, size_t count, double threshold);

#endif
