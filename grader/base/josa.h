// Chooses between the two forms of Korean particles (josa). The right form of a Korean particle depends on the sound
// before the particle. A Korean translation writes both forms of a particle, such as "이(가)", after a name or a
// number. The function josa_choose() keeps the right form of each Korean particle, if the last sound of the name or
// number before the particle is known.
#ifndef BASE_JOSA_H
#define BASE_JOSA_H

#include <stddef.h>

struct text;

// Chooses the form of each Korean particle in the text from byte `from` to the end. After a word in Latin letters, such
// as "array이(가)", both forms of the Korean particle stay in the text, because the word's last sound is unknown. A
// function name with parentheses, such as "name()", counts as a word that ends in a vowel.
void josa_choose(struct text *, size_t from);

#endif
