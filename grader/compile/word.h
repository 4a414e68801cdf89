// Tells which compiler options a program may use, and for which step of the build (word.def).
#ifndef COMPILE_WORD_H
#define COMPILE_WORD_H

enum word_form { WORD_ALONE, WORD_BEGINS, WORD_VALUE, WORD_VALUE_OR_BEGINS };
enum word_use { WORD_UNKNOWN, WORD_NONE, WORD_BOTH, WORD_NVCC, WORD_HOST, WORD_LINK };
// Returns the step of the build that needs the compiler option `word` (WORD_BOTH, WORD_HOST, ...). Returns WORD_NONE
// for an option that is accepted and ignored, or WORD_UNKNOWN for an option that is refused. Sets *words to 2 if the
// option's value is a separate word, else to 1.
enum word_use compile_word(const char *word, unsigned *words);

#endif
