// See escape.h.
#include "report/escape.h"

#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

void escape_html(struct text *out, const char *text, size_t length)
{
    struct text clean = {0};
    utf8_clean(&clean, text, length);
    for (size_t i = 0; i < clean.length; ++i) {
        switch (clean.data[i]) {
        case '&':
            text_puts(out, "&amp;");
            break;
        case '<':
            text_puts(out, "&lt;");
            break;
        case '>':
            text_puts(out, "&gt;");
            break;
        case '"':
            text_puts(out, "&quot;");
            break;
        case '\'':
            text_puts(out, "&#39;");
            break;
        default:
            text_add(out, &clean.data[i], 1);
        }
    }
    text_free(&clean);
}

void escape_csv(struct text *out, const char *text, size_t length)
{
    struct text clean = {0};
    utf8_clean(&clean, text, length);
    text_puts(out, "\"");
    if (clean.length > 1 && strchr("=+-@ \t\n", clean.data[0])) text_puts(out, "'");
    for (size_t i = 0; i < clean.length; ++i) {
        if (clean.data[i] == '"') text_puts(out, "\"");
        text_add(out, &clean.data[i], 1);
    }
    text_puts(out, "\"");
    text_free(&clean);
}
