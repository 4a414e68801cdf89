// Writes the glossary of the HTML page from word.def, and writes links to the words in the glossary.
#include "base/message.h"
#include "report/page/page.h"

#include <stdio.h>
#include <string.h>

static const struct word {
    const char *word, *meaning;
} words[] = {
#define WORD(word, meaning) {word, meaning},
#include "report/page/word.def"
#undef WORD
};
enum { WORDS = sizeof words / sizeof *words };

void page_word(const struct page *p, const char *word)
{
    for (int i = 0; i < WORDS; ++i) {
        if (strcmp(words[i].word, word) != 0) continue;
        page_printf(p, "<a class=\"word\" href=\"#word-%d\">", i + 1);
        page_text(p, _(word));
        page_puts(p, "</a>");
        return;
    }
    page_text(p, _(word));
}

// Returns 1 if the page has a link to the word.
static int is_used(const struct page *p, int word)
{
    char link[32];
    snprintf(link, sizeof link, "\"#word-%d\"", word + 1);
    return strstr(p->out->data, link) != NULL;
}

void page_words(const struct page *p)
{
    page_section(p, "words", N_("Words"));
    page_puts(p, "<dl class=\"words\">\n");
    for (int i = 0; i < WORDS; ++i) {
        if (p->run && !is_used(p, i)) continue;
        page_printf(p, "<dt id=\"word-%d\">", i + 1);
        page_text(p, _(words[i].word));
        page_puts(p, "</dt><dd>");
        page_text(p, _(words[i].meaning));
        page_puts(p, "</dd>\n");
    }
    page_puts(p, "</dl>\n");
    page_section_end(p);
}
