// Tells which compiler options a program may use, and for which step of the build (word.def).
#ifndef COMPILE_WORD_H
#define COMPILE_WORD_H

enum word_form { WORD_ALONE, WORD_BEGINS, WORD_VALUE, WORD_VALUE_OR_BEGINS };
enum word_use { WORD_UNKNOWN, WORD_NONE, WORD_BOTH, WORD_NVCC, WORD_HOST, WORD_LINK };
// Returns the use of an option. Sets *words to the option's number of words: 1, or 2 if the option's value is a
// separate word.
enum word_use compile_word(const char *word, unsigned *words);

#endif
