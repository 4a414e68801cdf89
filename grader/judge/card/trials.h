// Runs paired trials on a GPU until the sign test has an answer. A paired trial measures the baseline (the lab's own
// slow version) and the student's submission in turn. The caller provides the function iterate(), which runs one timed
// iteration. The file kernels.c defines iterate() for kernels, and programs.c defines iterate() for host programs.
#ifndef JUDGE_CARD_TRIALS_H
#define JUDGE_CARD_TRIALS_H

#include "judge/card/measurement.h"

enum { TRIALS_BASELINE, TRIALS_STUDENT, TRIALS_SIDES };

struct trials {
    // The caller sets the fields from `self` to `out`.
    void *self; // first argument of iterate() and health()
    // Runs one timed iteration of a side (TRIALS_BASELINE or TRIALS_STUDENT). Returns 0 with the time in picoseconds in
    // *time_ps. Returns -1 if the measurement has ended; then `out` contains the way in which the measurement ended.
    int (*iterate)(void *self, int side, uint64_t *time_ps);
    // Reads the state of the GPU, for example whether the GPU was throttled.
    void (*health)(void *self, struct engine_health *);
    double minimum; // minimum speedup to pass
    double slowed;  // most time of the baseline in the trials, as a multiple of its time alone
    struct prng *random;
    struct measurement *out;
    // The caller sets all other fields to zero.
    struct {
        uint64_t time_ps[2 * SIGN_TRIALS_MOST];
        uint32_t iterations;
    } side[TRIALS_SIDES];
    uint64_t alone_ps; // median time of the baseline before student code ran, in picoseconds
};

// Ends a measurement: stores the way in which it ended and the translated message in the struct measurement. Always
// returns -1.
int trials_end(struct measurement *, enum measure_end how, const char *message);
// Runs iterations of the baseline (the lab's own slow version) alone, before any student code has run. Stores the
// median time of the baseline's iterations in alone_ps. Returns 0, or -1 if an iteration ended the measurement.
int trials_alone(struct trials *);
// Runs iterations of the baseline and the student's submission without counting their times, so that the GPU warms up.
// Returns 0, or -1 if an iteration ended the measurement.
int trials_warm(struct trials *);
// Runs paired trials until the sign test has an answer, and repeats the trials if the GPU was disturbed. Stores in
// `out` the answer of the sign test, or the reason why the sign test has no answer.
void trials_decide(struct trials *);
// Returns the time of a monotonic clock in seconds.
double trials_now_s(void);

#endif
