// Why a submission does not pass, as rows of reason.def.
#ifndef JUDGE_JOB_REASON_H
#define JUDGE_JOB_REASON_H

enum reason {
#define REASON(id, word) REASON_##id,
#include "judge/job/reason.def"
#undef REASON
    REASONS
};
// The word of each reason, as programs read it; a reader gets its translation by _().
extern const char *const reason_word[REASONS];

#endif
