// Implements utf8.h. Code points count as wide (two columns) if they are in the common ranges of classes W and F in UAX
// #11, East Asian Width.
#include "report/utf8.h"

#include <stdint.h>
#include <string.h>

static size_t escape_length(const char *at, size_t left)
{
    if (left < 2 || at[0] != '\033' || at[1] != '[') return 0;
    size_t n = 2;
    while (n < left && at[n] != 'm') ++n;
    return n < left ? n + 1 : 0;
}

// Returns the code point at `at`, and sets *length to the code point's number of bytes. The text at `at` is valid UTF-8
// or a single byte.
static uint32_t code_point(const char *at, size_t left, size_t *length)
{
    const unsigned char *u = (const unsigned char *)at;
    size_t n = u[0] < 0xc0 ? 1 : u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : 4;
    *length = n <= left ? n : left;
    uint32_t c = n == 1 ? u[0] : u[0] & (0xffu >> (n + 1));
    for (size_t i = 1; i < *length; ++i) c = c << 6 | (u[i] & 0x3f);
    return c;
}

static unsigned columns_of(uint32_t c)
{
    static const uint32_t wide[][2] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},  {0xac00, 0xd7a3},
                                       {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},  {0xffe0, 0xffe6},
                                       {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; ++i)
        if (c >= wide[i][0] && c <= wide[i][1]) return 2;
    return 1;
}

size_t utf8_width(const char *text, size_t length)
{
    size_t width = 0;
    for (size_t i = 0; i < length;) {
        size_t bytes = escape_length(text + i, length - i);
        if (!bytes) width += columns_of(code_point(text + i, length - i, &bytes));
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
