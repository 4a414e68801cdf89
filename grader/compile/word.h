// What the words of a compiler's command line mean to a program that grade builds (word.def).
#ifndef COMPILE_WORD_H
#define COMPILE_WORD_H

enum word_form { WORD_ALONE, WORD_BEGINS, WORD_VALUE, WORD_VALUE_OR_BEGINS };
enum word_use { WORD_UNKNOWN, WORD_NONE, WORD_BOTH, WORD_NVCC, WORD_HOST, WORD_LINK };
// What becomes of a word, and in *words how many it takes: 1, or 2 with its value.
enum word_use compile_word(const char *word, unsigned *words);

#endif
