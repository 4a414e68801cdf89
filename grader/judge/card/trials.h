// Baseline and student measured against each other, whatever it is that is timed: blocks of turns until the sign test
// has an answer. What a turn is, measure.c (kernels) and rounds.c (host programs) know.
#ifndef JUDGE_CARD_TRIALS_H
#define JUDGE_CARD_TRIALS_H

#include "judge/card/measurement.h"

enum { TRIALS_BASELINE, TRIALS_STUDENT, TRIALS_SIDES };

struct trials {
    void *self;
    // One timed run of a side. 0; or -1: the measurement is over, and `out` says how.
    int (*turn)(void *self, int side, uint64_t *time_ps);
    void (*health)(void *self, struct engine_health *);
    double minimum; // speedup that is asked for
    double held_up; // the baseline may take so many times what it took alone: else something holds it up
    struct prng *random;
    struct measurement *out;
    struct { // the blocks' own
        uint64_t time_ps[2 * SIGN_BLOCKS_MOST];
        uint32_t launches;
    } side[TRIALS_SIDES];
    uint64_t alone_ps; // the baseline's, before the student's code ran
};

// Ends a measurement. Always -1.
int trials_end(struct measurement *, enum measure_end how, const char *message);
// The baseline alone, before any of the student's code has run; then both. 0, or -1: a turn ended it.
int trials_alone(struct trials *);
int trials_warm(struct trials *);
// Blocks, until they were not disturbed: `out` has the answer, or why there is none.
void trials_decide(struct trials *);
// Seconds of a clock that nobody sets.
double trials_now_s(void);

#endif
