// The looks at the counts: after how many blocks, and how many on one side are enough. sign.h says what they promise.
#include "judge/card/sign.h"

static const struct {
    uint32_t blocks, enough;
} look[] = {{16, 16}, {32, 27}, {64, 47}, {SIGN_BLOCKS_MOST, 85}};
enum { LOOKS = sizeof look / sizeof *look };

enum sign_answer sign_add(struct sign_test *t, double ratio, double minimum)
{
    if (ratio >= SIGN_BAR * minimum) // not a number: below
        ++t->above;
    else
        ++t->below;
    for (int i = 0; i < LOOKS; ++i) {
        if (t->below + t->above != look[i].blocks) continue;
        if (t->below >= look[i].enough) return SIGN_BELOW;
        if (t->above >= look[i].enough) return SIGN_ABOVE;
    }
    return t->below + t->above >= SIGN_BLOCKS_MOST ? SIGN_UNDECIDED : SIGN_MORE;
}
