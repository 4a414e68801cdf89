// Paired trials: baseline and student measured against each other until the sign test has an answer. The caller says
// how one timed iteration runs: kernels.c for kernels, programs.c for host programs.
#ifndef JUDGE_CARD_TRIALS_H
#define JUDGE_CARD_TRIALS_H

#include "judge/card/measurement.h"

enum { TRIALS_BASELINE, TRIALS_STUDENT, TRIALS_SIDES };

struct trials {
    // The caller sets these.
    void *self; // passed to the functions
    // Runs one timed iteration of a side. Returns 0; or -1: the measurement is over, and `out` says how.
    int (*iterate)(void *self, int side, uint64_t *time_ps);
    // Reads the state of the card.
    void (*health)(void *self, struct engine_health *);
    double minimum; // the speedup that is asked for
    double slowed;  // most that the baseline's time may be, as a multiple of its time alone
    struct prng *random;
    struct measurement *out;
    // All else is zero at first.
    struct {
        uint64_t time_ps[2 * SIGN_TRIALS_MOST];
        uint32_t iterations;
    } side[TRIALS_SIDES];
    uint64_t alone_ps; // median time of the baseline before student code ran
};

// Ends a measurement with a translated message. Returns -1.
int trials_end(struct measurement *, enum measure_end how, const char *message);
// Runs iterations of the baseline alone, before any student code has run. Returns 0, or -1: an iteration ended it.
int trials_alone(struct trials *);
// Runs iterations of both sides whose times do not count. Returns 0, or -1 as above.
int trials_warm(struct trials *);
// Runs trials, again if they were disturbed. `out` has the answer, or the reason why there is none.
void trials_decide(struct trials *);
// Returns the seconds of a monotonic clock.
double trials_now_s(void);

#endif
