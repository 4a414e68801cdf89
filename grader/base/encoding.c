// Converts source files to UTF-8. A file does not name its encoding, so the first rule of this list that fits the file
// decides:
//
//   1. A byte-order mark decides: UTF-8, or UTF-16 of either byte order.
//   2. A file with a NUL byte and without a mark is no text, and stays as it is.
//   3. A file that is valid UTF-8 is UTF-8.
//   4. A file that is valid CP949, with at least one Hangul syllable of KS X 1001, is CP949.
//   5. Any other file is Windows-1252, or Latin-1 if it has a byte value that Windows-1252 leaves undefined.
//
// Text in another encoding is hardly ever valid UTF-8 by chance. A single Latin-1 letter between ASCII letters is never
// taken for a Hangul syllable of KS X 1001, because both bytes of such a syllable are above 0xA0. Windows-1252 contains
// the printable characters of Latin-1, and leaves five byte values undefined.
//
// If a Latin-1 file is taken for CP949, or the reverse, only characters in comments and strings change. The reason is
// that no second byte of a CP949 pair is a quote, a backslash, an asterisk or an end of line. The function iconv() of
// the C library does the conversion.
#include "base/encoding.h"

#include <iconv.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

int encoding_convert(struct text *out, const char *encoding, const char *bytes, size_t length)
{
    iconv_t converter = iconv_open("UTF-8", encoding);
    if (converter == (iconv_t)-1) return -1;
    char part[4096], *from = (char *)(size_t)bytes;
    size_t before = out->length;
    while (length) {
        char *to = part;
        size_t room = sizeof part, left = length, failed = iconv(converter, &from, &length, &to, &room);
        text_add(out, part, (size_t)(to - part));
        if (failed == (size_t)-1 && left == length) break; // a full buffer is no error, but it must make progress
    }
    char *to = part; // some encodings hold back a character until they see the next one
    size_t room = sizeof part;
    iconv(converter, NULL, NULL, &to, &room);
    text_add(out, part, (size_t)(to - part));
    iconv_close(converter);
    if (!length) return 0;
    out->length = before;
    if (out->data) out->data[before] = '\0';
    return -1;
}

// Returns 1 if `bytes`, read as CP949, contain a Hangul syllable of KS X 1001. In CP949, each byte outside of ASCII
// begins a pair of bytes.
static int has_hangul(const char *bytes, size_t length)
{
    const unsigned char *p = (const unsigned char *)bytes;
    for (size_t i = 0; i + 1 < length; i += p[i] < 0x80 ? 1 : 2)
        if (p[i] >= 0xb0 && p[i] <= 0xc8 && p[i + 1] >= 0xa1 && p[i + 1] <= 0xfe) return 1;
    return 0;
}

const char *encoding_guess(const char *bytes, size_t length)
{
    struct text converted = {0};
    if (utf8_invalid(bytes, length) == length) return "UTF-8";
    int korean = has_hangul(bytes, length) && !encoding_convert(&converted, "CP949", bytes, length);
    text_free(&converted);
    return korean ? "CP949" : "CP1252";
}

static void from_latin(struct text *out, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; ++i) {
        unsigned char c = (unsigned char)bytes[i];
        char pair[2] = {(char)(0xc0 | c >> 6), (char)(0x80 | (c & 0x3f))};
        text_add(out, c < 0x80 ? bytes + i : pair, c < 0x80 ? 1 : 2);
    }
}

// Appends the characters of `bytes` to `out` in UTF-8. Returns 0, or -1 if `bytes` are malformed UTF-16 or no text.
static int decode(struct text *out, const char *bytes, size_t length)
{
    if (length > 1 && !memcmp(bytes, "\xff\xfe", 2)) return encoding_convert(out, "UTF-16LE", bytes + 2, length - 2);
    if (length > 1 && !memcmp(bytes, "\xfe\xff", 2)) return encoding_convert(out, "UTF-16BE", bytes + 2, length - 2);
    if (memchr(bytes, '\0', length)) return -1;
    if (length > 2 && !memcmp(bytes, "\xef\xbb\xbf", 3)) bytes += 3, length -= 3;
    const char *encoding = encoding_guess(bytes, length);
    if (!strcmp(encoding, "UTF-8"))
        text_add(out, bytes, length);
    else if (encoding_convert(out, encoding, bytes, length))
        from_latin(out, bytes, length);
    return 0;
}

void encoding_to_utf8(struct text *t)
{
    struct text out = {0};
    if (!t->length || decode(&out, t->data, t->length)) {
        text_free(&out);
        return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < out.length; ++i) {
        if (out.data[i] == '\r' && i + 1 < out.length && out.data[i + 1] == '\n') continue;
        out.data[kept++] = out.data[i] == '\r' ? '\n' : out.data[i];
    }
    if (out.data) out.data[out.length = kept] = '\0';
    text_free(t);
    *t = out;
}
