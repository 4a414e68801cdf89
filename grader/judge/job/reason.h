// Defines the reasons why a submission does not pass, generated from reason.def.
#ifndef JUDGE_JOB_REASON_H
#define JUDGE_JOB_REASON_H

enum reason {
#define REASON(id, word) REASON_##id,
#include "judge/job/reason.def"
#undef REASON
    REASONS
};
// Contains the word of each reason as programs read the word. For people, _() translates the word. The word of
// REASON_finding is NULL.
extern const char *const reason_word[REASONS];

#endif
