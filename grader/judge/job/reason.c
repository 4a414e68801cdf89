// Defines reason_word[], the word of each reason, from reason.def.
#include "judge/job/reason.h"

#include <stddef.h>

const char *const reason_word[REASONS] = {
#define REASON(id, word) [REASON_##id] = word,
#include "judge/job/reason.def"
#undef REASON
};
