// Provides a sign test that decides whether the student's kernel is at least T times as fast as the baseline. A kernel
// that is fast enough fails the test only with a small probability, whatever the distribution of the measurement noise.
//
// A paired trial measures baseline and student in turn. The ratio of a trial is baseline time / student time. A trial
// counts as `below` if its ratio is below the bar, else as `above`. The bar is SIGN_BAR × T, which is slightly less
// than the minimum speedup T. After 16, 32, 64 and 128 trials the two counts are examined. If one of the two counts is
// large enough, the test ends with an answer. A student whose test is undecided after 128 trials does not fail.
//
// Guarantee. Suppose that the true median ratio is at least the bar. Under this assumption, each independent trial is
// below the bar with probability at most 1/2. The probability of 16 of 16 trials below the bar is 2^-16. The
// probabilities are 6e-5 for 27 of 32, 1.2e-4 for 47 of 64, and 1.3e-4 for 85 of 128 trials. The sum of the four
// probabilities is below one in a thousand, whatever the distribution of the noise. The argument is a sign test with
// Bonferroni's bound over four stages. A kernel whose median ratio is T, which is above the bar, fails with a
// probability that is smaller by orders of magnitude.
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
// Adds a trial whose ratio of baseline time to student time is `ratio`. `minimum` is the minimum speedup T. Returns the
// answer after this trial.
enum sign_answer sign_add(struct sign_test *, double ratio, double minimum);

#endif
