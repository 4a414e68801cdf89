// See utf8.h.
#include "base/utf8.h"

#include <stdint.h>

#include "base/text.h"

size_t utf8_length(const char *at, size_t left)
{
    const unsigned char *p = (const unsigned char *)at;
    if (!left) return 0;
    if (*p < 0x80) return 1;
    size_t length = *p >= 0xf0 && *p <= 0xf4 ? 4 : *p >= 0xe0 && *p < 0xf0 ? 3 : *p >= 0xc2 && *p < 0xe0 ? 2 : 0;
    if (!length || length > left) return 0;
    for (size_t i = 1; i < length; ++i)
        if ((p[i] & 0xc0) != 0x80) return 0;
    int overlong = (*p == 0xe0 && p[1] < 0xa0) || (*p == 0xf0 && p[1] < 0x90);
    int surrogate = *p == 0xed && p[1] > 0x9f, beyond = *p == 0xf4 && p[1] > 0x8f;
    return overlong || surrogate || beyond ? 0 : length;
}

size_t utf8_invalid(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length;) {
        size_t n = utf8_length(bytes + i, length - i);
        if (!n) return i;
        i += n;
    }
    return length;
}

// Returns 1 if utf8_clean() must replace the character at `p`, whose UTF-8 sequence has `n` bytes. The characters that
// utf8_clean() replaces are C0 (except line feed and tab), DEL, C1, the Arabic letter mark, direction marks, embeddings
// and isolates, and line and paragraph separators.
static int is_harmful(const unsigned char *p, size_t n)
{
    if (n == 1) return (*p < 32 && *p != '\n' && *p != '\t') || *p == 127;
    if (n == 2) return (p[0] == 0xc2 && p[1] < 0xa0) || (p[0] == 0xd8 && p[1] == 0x9c);
    if (n != 3 || p[0] != 0xe2) return 0;
    return (p[1] == 0x80 && (p[2] == 0x8e || p[2] == 0x8f || (p[2] >= 0xa8 && p[2] <= 0xae))) ||
           (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9);
}

void utf8_clean(struct text *out, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length;) {
        size_t n = utf8_length(bytes + i, length - i);
        if (!n || is_harmful((const unsigned char *)bytes + i, n))
            text_add(out, "?", 1);
        else
            text_add(out, bytes + i, n);
        i += n ? n : 1;
    }
}

void utf8_escape(struct text *out, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length;) {
        const unsigned char *p = (const unsigned char *)bytes + i;
        size_t n = utf8_length(bytes + i, length - i), whole = n ? n : 1;
        if (!n || is_harmful(p, n) || *p == '\n' || *p == '\t')
            for (size_t k = 0; k < whole; ++k) text_printf(out, "\\x%02x", p[k]);
        else
            text_add(out, *p == '\\' ? "\\\\" : bytes + i, *p == '\\' ? 2 : n);
        i += whole;
    }
}

// Returns the length of the white space at `p`, or 0 if there is none before `left` bytes end. White space is what
// .NET's Char.IsWhiteSpace() takes for it, because GitHub's runner cuts it off before it looks for a command: the
// categories Zs, Zl and Zp of Unicode, tab to carriage return, and next line.
static size_t blank(const unsigned char *p, size_t left)
{
    if (*p == ' ' || (*p >= '\t' && *p <= '\r')) return 1;
    if (left > 1 && p[0] == 0xc2) return p[1] == 0xa0 || p[1] == 0x85 ? 2 : 0;
    if (left < 3) return 0;
    uint32_t three = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
    return (three >= 0xe28080 && three <= 0xe2808a) || three == 0xe280a8 || three == 0xe280a9 || three == 0xe280af ||
                   three == 0xe2819f || three == 0xe19a80 || three == 0xe38080
               ? 3
               : 0;
}

void utf8_clean_log(struct text *t)
{
    int begins = 1;
    for (size_t i = 0; i + 1 < t->length; ++i) {
        char *at = t->data + i;
        size_t end = 2, white = blank((const unsigned char *)at, t->length - i);
        while (*at == '#' && at[1] == '#' && (at[end] | 0x20) >= 'a' && (at[end] | 0x20) <= 'z') ++end;
        int command = *at == '#' && at[1] == '#' && at[end] == '[';
        if (command || (begins && *at == ':' && at[1] == ':')) *at = '?';
        begins = *at == '\n' || *at == '\r' || (begins && white);
        if (white) i += white - 1;
    }
}

void utf8_clean_line(struct text *out, const char *bytes, size_t length)
{
    size_t start = out->length;
    utf8_clean(out, bytes, length);
    for (size_t i = start; i < out->length; ++i)
        if (out->data[i] == '\n' || out->data[i] == '\t') out->data[i] = '?';
}
