// Decides with a sign test whether the student's kernel is fast enough. The table `stage` lists the numbers of trials
// after which the sign test may end. After stage[i].trials trials, the sign test ends if its count `below` or its count
// `above` has reached stage[i].enough. The header sign.h states the guarantee of the sign test.
#include "judge/card/sign.h"

static const struct {
    uint32_t trials, enough;
} stage[] = {{16, 16}, {32, 27}, {64, 47}, {SIGN_TRIALS_MOST, 85}};
enum { STAGES = sizeof stage / sizeof *stage };

enum sign_answer sign_add(struct sign_test *t, double ratio, double minimum)
{
    if (ratio >= SIGN_BAR * minimum) // a ratio of NaN counts as below the bar
        ++t->above;
    else
        ++t->below;
    for (int i = 0; i < STAGES; ++i) {
        if (t->below + t->above != stage[i].trials) continue;
        if (t->below >= stage[i].enough) return SIGN_BELOW;
        if (t->above >= stage[i].enough) return SIGN_ABOVE;
    }
    return t->below + t->above >= SIGN_TRIALS_MOST ? SIGN_UNDECIDED : SIGN_MORE;
}
