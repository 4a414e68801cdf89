// Korean particles (josa) whose form depends on the sound before them. A translation writes both forms, such as
// "이(가)", after a name or a number. This module keeps the form that fits, if the sound is known.
#ifndef BASE_JOSA_H
#define BASE_JOSA_H

#include "base/text.h"

// Chooses the particles in the text from byte `from` on. After a word in Latin letters, whose last sound is unknown,
// both forms stay. A function's name with its parentheses, "name()", counts as a word that ends in a vowel.
void josa_choose(struct text *, size_t from);

#endif
