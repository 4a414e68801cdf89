// Provides a sign test that decides whether the student's kernel is at least T times as fast as the baseline, the lab's
// own slow kernel. A kernel that is at least T times as fast as the baseline fails the test only with a small
// probability, whatever the distribution of the measurement noise.
//
// A paired trial measures the baseline (the lab's own slow kernel) and the student's kernel in turn. The ratio of a
// trial is the baseline's time divided by the student's time. A trial counts as `below` if the baseline's time divided
// by the student's time is below SIGN_BAR × T (T: the minimum speedup), else as `above`. The bar SIGN_BAR × T is
// slightly less than the minimum speedup T. After 16, 32, 64 and 128 trials, the sign test examines how many trials
// were `below` the bar and how many were `above` the bar. The sign test ends with an answer if enough trials are
// `below` the bar or enough trials are `above` the bar. A submission whose sign test is undecided after 128 trials does
// not fail.
//
// Guarantee. A submission is fast enough if the true median of its trials' ratios (baseline's time / student's time) is
// at least SIGN_BAR × T, where T is the minimum speedup. For a submission that is fast enough, each independent trial
// counts as `below` (too slow) with a probability of at most 1/2. For a submission that is fast enough, all of the
// first 16 trials count as `below` with a probability of at most 2^-16. At least 27 of 32 trials of a fast enough
// submission count as `below` (slower than the bar SIGN_BAR × T) with a probability of at most 6e-5. At least 47 of 64
// trials of a fast enough submission count as `below` with a probability of at most 1.2e-4. At least 85 of 128 trials
// of a fast enough submission count as `below` with a probability of at most 1.3e-4. The sum of the probabilities that
// the sign test fails a fast enough submission after 16, 32, 64 or 128 trials is less than one in a thousand. By
// Bonferroni's bound, the sign test therefore fails a fast enough submission with a probability of less than one in a
// thousand. If the true median ratio is the minimum speedup T itself, the sign test fails the submission with a
// probability that is lower than one in a thousand by orders of magnitude.
#ifndef JUDGE_CARD_SIGN_H
#define JUDGE_CARD_SIGN_H

#include <stdint.h>

enum { SIGN_TRIALS_MOST = 128 };
#define SIGN_BAR 0.97

enum sign_answer {
    SIGN_MORE,  // more trials are needed
    SIGN_BELOW, // the student's kernel is too slow
    SIGN_ABOVE, // the student's kernel is fast enough
    // no answer after the last stage; the student passes, and the report says that the test is undecided
    SIGN_UNDECIDED,
};
struct sign_test {
    uint32_t below, above; // number of trials so far whose ratio was below the bar; number of other trials
};
// Adds a paired trial to the sign test, and returns the sign test's answer after the added trial. `ratio` is the
// trial's baseline time divided by its student time. `minimum` is the minimum speedup T.
enum sign_answer sign_add(struct sign_test *, double ratio, double minimum);

#endif
