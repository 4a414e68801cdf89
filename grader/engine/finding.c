// Defines finding_info[], the table of the kinds of findings, which is generated from finding.def.
#include "engine/finding.h"

#include "base/message.h"

const struct finding_info finding_info[FINDING_KINDS] = {
#define FINDING(id, word, severity, effect, hint) {#id, word, hint, FINDING_##severity, EFFECT_##effect},
#include "engine/finding.def"
#undef FINDING
};
