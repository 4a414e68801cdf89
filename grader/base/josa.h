// Korean particles that depend on the sound before them. A translation writes both forms, "이(가)", where a name or a
// number comes before; this chooses one where the sound is known.
#ifndef BASE_JOSA_H
#define BASE_JOSA_H

#include "base/text.h"

// In the text from byte `from` on. Leaves both forms behind a word in Latin letters, which may be read either way;
// but a function, "name()", is read as a word that ends in a vowel.
void josa_choose(struct text *, size_t from);

#endif
