// The page's glossary.
#include "report/page.h"

void page_words(const struct page *p)
{
    static const struct {
        const char *word, *meaning;
    } all[] = {
#define WORD(word, meaning) {word, meaning},
#include "report/word.def"
#undef WORD
    };
    page_section(p, "words", "Words");
    page_puts(p, "<dl class=\"words\">\n");
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        page_puts(p, "<dt>");
        page_text(p, all[i].word);
        page_puts(p, "</dt><dd>");
        page_text(p, all[i].meaning);
        page_puts(p, "</dd>\n");
    }
    page_puts(p, "</dl>\n");
    page_section_end(p);
}
