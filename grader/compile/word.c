// Implements word.h with the table word.def of compiler options. If several rows of word.def fit an option, the row
// with the longest `text` decides. Because the longest `text` decides, the option "-lineinfo" is not mistaken for "-l"
// with the name of a library.
#include "compile/word.h"

#include <string.h>

static const struct row {
    const char *text;
    enum word_form form;
    enum word_use use;
} rows[] = {
#define WORD(text, form, use) {text, WORD_##form, WORD_##use},
#include "compile/word.def"
#undef WORD
};

static int fits(const struct row *row, const char *word)
{
    int goes_on = row->form == WORD_BEGINS || row->form == WORD_VALUE_OR_BEGINS;
    return goes_on ? !strncmp(word, row->text, strlen(row->text)) : !strcmp(word, row->text);
}

enum word_use compile_word(const char *word, unsigned *words)
{
    const struct row *best = NULL;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i)
        if (fits(&rows[i], word) && (!best || strlen(rows[i].text) > strlen(best->text))) best = &rows[i];
    if (!best) return WORD_UNKNOWN;
    int apart = best->form == WORD_VALUE || (best->form == WORD_VALUE_OR_BEGINS && !word[strlen(best->text)]);
    *words = apart ? 2 : 1;
    return best->use;
}
