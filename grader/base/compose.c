// Composes pairs of Unicode characters, such as a letter and an accent, into one character (Unicode Standard, section
// 3.11). A combining mark is joined to the last character before it that is no mark, if the table compose.def has the
// pair. Hangul syllables are composed by a formula (Unicode Standard, section 3.12). The function compose_text() needs
// no combining classes, because the marks of text in NFD or NFC are already in canonical order.
#include "base/compose.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

enum { L = 0x1100, V = 0x1161, T = 0x11a7, S = 0xac00, LS = 19, VS = 21, TS = 28 };

static const uint32_t pairs[][3] = {
#define COMPOSE(first, second, composed) {first, second, composed},
#include "base/compose.def"
#undef COMPOSE
};

static int by_pair(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
    return (x[1] > y[1]) - (x[1] < y[1]);
}

// Returns the character that `a` and `b` compose to, or 0 if there is no such character.
static uint32_t compose(uint32_t a, uint32_t b)
{
    if (a >= L && a < L + LS && b >= V && b < V + VS) return S + ((a - L) * VS + (b - V)) * TS;
    if (a >= S && a < S + LS * VS * TS && !((a - S) % TS) && b > T && b < T + TS) return a + (b - T);
    const uint32_t *found =
        bsearch((const uint32_t[]){a, b}, pairs, sizeof pairs / sizeof *pairs, sizeof *pairs, by_pair);
    return found ? found[2] : 0;
}

// Returns 1 if `c` is a combining mark, that is, a character that may stand between a letter and the letter's other
// marks.
static int is_mark(uint32_t c)
{
    if (c < 0x300) return 0;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
        if (pairs[i][1] == c) return 1;
    return c <= 0x36f; // combining diacritical marks
}

static uint32_t decode(const char *at, size_t n)
{
    static const unsigned char mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t c = (unsigned char)*at & mask[n];
    for (size_t i = 1; i < n; ++i) c = c << 6 | ((unsigned char)at[i] & 0x3f);
    return c;
}

static size_t encode(uint32_t c, char *to)
{
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n; i-- > 0; c >>= 6) to[i] = (char)(i ? 0x80 | (c & 0x3f) : lead[n] | c);
    return n;
}

void compose_text(char *text)
{
    size_t to = 0, starter = 0, width = 0,
           left = strlen(text); // the starter begins at `starter`; width 0: there is none
    for (const char *at = text; left;) {
        size_t n = utf8_length(at, left), step = n ? n : 1;
        uint32_t c = n ? decode(at, n) : 0, joined = n && width ? compose(decode(text + starter, width), c) : 0;
        at += step;
        left -= step;
        if (joined) { // what lies between the starter and its mark keeps its place
            char piece[4];
            size_t now = encode(joined, piece);
            memmove(text + starter + now, text + starter + width, to - starter - width);
            memcpy(text + starter, piece, now);
            to = to - width + now;
            width = now;
            continue;
        }
        memmove(text + to, at - step, step);
        if (!n || !is_mark(c)) starter = to, width = n;
        to += step;
    }
    text[to] = '\0';
}
