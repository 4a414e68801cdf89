// Implements utf8.h. The library utf8proc knows the width of each code point (UAX #11, East Asian Width).
#include "report/utf8.h"

#include <string.h>
#include <utf8proc.h>

#include "base/text.h"

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
        utf8proc_int32_t c;
        size_t bytes = escape_length(text + i, length - i);
        if (!bytes) {
            utf8proc_ssize_t n =
                utf8proc_iterate((const utf8proc_uint8_t *)text + i, (utf8proc_ssize_t)(length - i), &c);
            width += n > 0 && c >= ' ' ? (size_t)utf8proc_charwidth(c) : 1;
            bytes = n > 0 ? (size_t)n : 1;
        }
        i += bytes;
    }
    return width;
}

void utf8_pad(struct text *out, const char *text, size_t columns)
{
    size_t length = strlen(text);
    text_add(out, text, length);
    for (size_t i = utf8_width(text, length); i < columns; ++i) text_add(out, " ", 1);
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
    int first = 1; // 1: the next word is the first word of its line
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
