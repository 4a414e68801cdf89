// See utf8.h. A code point counts as one column: sources in wide scripts shift a caret, which is all that can go wrong.
#include "report/utf8.h"

#include <string.h>

// Length of the valid sequence at p, or 0; no C1 control characters, no overlong forms, no surrogates.
static size_t sequence(const unsigned char *p, size_t left)
{
    if (*p < 0x80) return 1;
    size_t length = *p >= 0xf0 && *p <= 0xf4 ? 4 : *p >= 0xe0 && *p < 0xf0 ? 3 : *p >= 0xc2 && *p < 0xe0 ? 2 : 0;
    if (!length || length > left) return 0;
    for (size_t i = 1; i < length; ++i)
        if ((p[i] & 0xc0) != 0x80) return 0;
    int bad = (*p == 0xc2 && p[1] < 0xa0) || (*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) ||
              (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f);
    // Line and paragraph separators, and what turns the direction of writing.
    int turning = *p == 0xe2 && p[1] == 0x80 && p[2] >= 0xa8 && p[2] <= 0xae;
    return bad || turning ? 0 : length;
}

void utf8_clean(struct text *out, const char *bytes, size_t length)
{
    const unsigned char *p = (const unsigned char *)bytes;
    for (size_t i = 0; i < length;) {
        size_t n = sequence(p + i, length - i);
        int control = p[i] < 0x80 && (p[i] < 32 || p[i] == 127) && p[i] != '\n' && p[i] != '\t';
        if (!n || control)
            text_add(out, "?", 1);
        else
            text_add(out, bytes + i, n);
        i += n ? n : 1;
    }
}

static size_t escape_length(const char *at, size_t left)
{
    if (left < 2 || at[0] != '\033' || at[1] != '[') return 0;
    size_t n = 2;
    while (n < left && at[n] != 'm') ++n;
    return n < left ? n + 1 : 0;
}

size_t utf8_width(const char *text, size_t length)
{
    size_t width = 0;
    for (size_t i = 0; i < length;) {
        size_t escape = escape_length(text + i, length - i);
        width += !escape && ((unsigned char)text[i] & 0xc0) != 0x80;
        i += escape ? escape : 1;
    }
    return width;
}

void utf8_to_ascii(struct text *out, const char *text)
{
    static const struct {
        const char *sign, *ascii;
    } known[] = {{"·", "-"}, {"×", "x"}, {"…", "..."}, {"–", "-"}, {"µ", "u"}, {"≥", ">="}, {"≤", "<="}};
    for (const char *at = text; *at;) {
        if ((unsigned char)*at < 0x80) {
            text_add(out, at++, 1);
            continue;
        }
        size_t taken = 0;
        for (size_t k = 0; k < sizeof known / sizeof *known && !taken; ++k)
            if (!strncmp(at, known[k].sign, strlen(known[k].sign))) {
                text_puts(out, known[k].ascii);
                taken = strlen(known[k].sign);
            }
        if (!taken) {
            text_puts(out, "?");
            for (taken = 1; ((unsigned char)at[taken] & 0xc0) == 0x80; ++taken) continue;
        }
        at += taken;
    }
}

static void new_line(struct text *out, size_t indent)
{
    text_puts(out, "\n");
    for (size_t i = 0; i < indent; ++i) text_puts(out, " ");
}

void utf8_wrap(struct text *out, const char *text, size_t column, size_t indent, size_t width)
{
    int first = 1; // of its line
    for (const char *at = text; *at;) {
        size_t blanks = strspn(at, " \n\t"), word = strcspn(at + blanks, " \n\t");
        if (!word) return;
        size_t columns = utf8_width(at + blanks, word);
        if (!first && column + 1 + columns > width) {
            new_line(out, indent);
            column = indent;
            first = 1;
        }
        if (!first) {
            text_puts(out, " ");
            ++column;
        }
        text_add(out, at + blanks, word);
        column += columns;
        first = 0;
        at += blanks + word;
    }
}
