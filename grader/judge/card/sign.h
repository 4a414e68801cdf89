// The decision "is it at least T times as fast?", by a sign test that noise cannot break.
//
// A block compares baseline and student once; its ratio lies below the bar or not. The bar is the minimum speedup less
// a margin, SIGN_BAR × T. After 16, 32, 64 and 128 blocks the counts are looked at: enough on one side decides; whoever
// is undecided after the last look is not failed.
//
// Guarantee. If the true median ratio is at least the bar, each independent block falls below with probability at most
// 1/2, so the chance of 16 of 16 is 2^-16, of 27 of 32 6e-5, of 47 of 64 1.2e-4, of 85 of 128 1.3e-4: together below
// one in a thousand, whatever the noise looks like (a sign test with Bonferroni's bound over four looks). At the full
// minimum T, which lies above the bar, it is smaller by orders of magnitude.
#ifndef JUDGE_CARD_SIGN_H
#define JUDGE_CARD_SIGN_H

#include <stdint.h>

enum { SIGN_BLOCKS_MOST = 128 };
#define SIGN_BAR 0.97

enum sign_answer {
    SIGN_MORE,      // go on
    SIGN_BELOW,     // too slow
    SIGN_ABOVE,     // fast enough
    SIGN_UNDECIDED, // after the last look: counts for the student, and is said
};
struct sign_test {
    uint32_t below, above; // blocks so far
};
enum sign_answer sign_add(struct sign_test *, double ratio, double minimum);

#endif
