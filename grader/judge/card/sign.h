// A sign test that decides "is the student's kernel at least T times as fast?" and that noise cannot break.
//
// A paired trial compares baseline and student once; its ratio lies below the bar or not. The bar is SIGN_BAR × T, the
// minimum speedup less a margin. After 16, 32, 64 and 128 trials the counts are examined: enough of them on one side
// decide. A student who is undecided after 128 trials does not fail.
//
// Guarantee. If the true median ratio is at least the bar, an independent trial falls below it with probability at most
// 1/2. So the chance of 16 of 16 is 2^-16, of 27 of 32 6e-5, of 47 of 64 1.2e-4, and of 85 of 128 1.3e-4. Together
// these are below one in a thousand, whatever the distribution of the noise (a sign test with Bonferroni's bound over
// four stages). At the full minimum T, which lies above the bar, the chance is smaller by orders of magnitude.
#ifndef JUDGE_CARD_SIGN_H
#define JUDGE_CARD_SIGN_H

#include <stdint.h>

enum { SIGN_TRIALS_MOST = 128 };
#define SIGN_BAR 0.97

enum sign_answer {
    SIGN_MORE,      // more trials are needed
    SIGN_BELOW,     // too slow
    SIGN_ABOVE,     // fast enough
    SIGN_UNDECIDED, // after the last stage; passes, and the report says so
};
struct sign_test {
    uint32_t below, above; // trials so far
};
// Adds a trial with that ratio of baseline to student time. Returns the answer so far.
enum sign_answer sign_add(struct sign_test *, double ratio, double minimum);

#endif
