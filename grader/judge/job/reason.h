// Defines the reasons why a submission does not pass, generated from reason.def.
#ifndef JUDGE_JOB_REASON_H
#define JUDGE_JOB_REASON_H

enum reason {
#define REASON(id, word) REASON_##id,
#include "judge/job/reason.def"
#undef REASON
    REASONS
};
// Contains the English text of each reason why a submission does not pass, such as "too slow". A program that reads a
// JSON report recognises a reason by the reason's English text from reason_word. In reports for people, _() translates
// the reason's English text. The text of REASON_finding is NULL, because reports use the name of the finding instead.
extern const char *const reason_word[REASONS];

#endif
