// Removes from a verdict what a student must not learn of hidden cases.
//
// Theory of operation. Reports print everything that a verdict contains, and most reports are for the student. A kernel
// could make any bit of a hidden case's size visible in the case's result, in the line of a finding, in the executed
// lines, or in the hash of an output. Data about hidden cases are therefore removed from the verdict itself, and not
// from each report. After verdict_hide(), a verdict holds of all hidden cases together
//
//   one case, which is right if all hidden cases are right, without outputs, examples or messages
//   at most one finding that visible cases do not have, the worst, without threads, indices and sizes (hidden = 1)
//
// and nothing else. The score counts the one case that stands for all hidden cases like any other case, so points do
// not tell how many hidden cases are right. Findings of visible and of hidden cases are never merged (findings.c), and
// coverage comes from visible cases alone. What happens in hidden cases must not change what a verdict says about
// visible cases.
#include "base/message.h"
#include "judge/verdict/verdict.h"

static const struct lab_case together = {.name = N_("hidden cases"), .flags = CASE_HIDDEN};

// Replaces the hidden cases, which stand behind the visible cases in the verdict, by one case. The result of the case
// that replaces the hidden cases is CASE_RIGHT if all hidden cases are right. If a hidden case is not right, this
// result is CASE_STOPPED if the remaining finding of hidden cases is a defect (`has_defect` is 1), else CASE_WRONG.
// Returns the index of the case that replaces the hidden cases, or -1 if the lab has no hidden case.
static int join_cases(struct verdict *v, int has_defect)
{
    uint32_t n = 0, right = 1;
    while (n < v->ncases && !(v->item[n].which->flags & CASE_HIDDEN)) ++n;
    if (n == v->ncases) return -1;
    for (uint32_t i = n; i < v->ncases; ++i) right &= v->item[i].result == CASE_RIGHT;
    v->item[n] = (struct verdict_case){.which = &together,
                                       .result = right        ? CASE_RIGHT
                                                 : has_defect ? CASE_STOPPED
                                                              : CASE_WRONG};
    v->ncases = n + 1;
    v->nright = 0;
    for (uint32_t i = 0; i < v->ncases; ++i) v->nright += v->item[i].result == CASE_RIGHT;
    return (int)n;
}

void verdict_hide(struct verdict *v)
{
    struct verdict_findings *f = &v->findings;
    int hidden_defect = verdict_findings_hide(f);
    int at = join_cases(v, hidden_defect);
    for (uint32_t i = 0; i < f->count && at >= 0; ++i) {
        if (!f->item[i].hidden) continue;
        f->item[i].which = (uint32_t)at;
        f->item[i].cases = UINT64_C(1) << at;
    }
    v->ndefects = verdict_defects(f);
}
