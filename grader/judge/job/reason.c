// Defines reason_word[], the English texts of the reasons why a submission does not pass, from reason.def.
#include "judge/job/reason.h"

#include <stddef.h>

const char *const reason_word[REASONS] = {
#define REASON(id, word) [REASON_##id] = word,
#include "judge/job/reason.def"
#undef REASON
};
