// Decodes names. A file system and most archives store a name as bytes and do not say in which encoding. The first rule
// of this list that fits the name decides:
//
//   1. A name that is valid UTF-8 is UTF-8. This includes each name that an archive marks as UTF-8.
//   2. If the instructor states an encoding (--names), the name is in this encoding.
//   3. A name that is valid CP949, with at least one Hangul syllable of KS X 1001, is CP949 (base/encoding.h).
//   4. Any other name is CP437 if a program for DOS or Windows packed it, because the zip format says so, or else
//      Windows-1252.
//
// The rules 3 and 4 are guesses, and filename_say() tells the user about them. A name that is malformed in its encoding
// is never decoded half: each of its bytes outside of ASCII is shown as "\xHH". Bytes and characters that cannot stand
// on a line are shown in the same way (utf8_escape()). So two names are equal only if their texts are equal, and no two
// students share a name that cannot be shown.
//
// Some programs for Windows, such as PowerShell 5, separate all parts of a path by backslashes. The second byte of a
// character in Shift-JIS or CP949 may be the code of a backslash, so backslashes are replaced after decoding.
//
// A part of a path longer than FILENAME_PART bytes ends with a hash of the whole part and with its extension. Windows
// permits 255 UTF-16 units, which are up to 765 bytes in UTF-8. The rest of the import compares parts of bounded
// length.
#include "batch/unpack/filename.h"

#include <iconv.h>
#include <inttypes.h>
#include <string.h>

#include "base/encoding.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/utf8.h"

enum { EXTENSION = 16 };

static int is_clean(const struct text *t)
{
    struct text clean = {0};
    utf8_clean_line(&clean, t->data, t->length);
    int same = clean.length == t->length && !memcmp(clean.data, t->data, t->length);
    text_free(&clean);
    return same;
}

// Appends the name in UTF-8 to `out`, or appends the bytes as they are if the name is in no encoding.
static void convert(struct text *out, struct filename_rule *rule, const char *bytes, size_t length, int dos)
{
    if (utf8_invalid(bytes, length) == length) {
        text_add(out, bytes, length);
        return;
    }
    const char *encoding = rule->encoding;
    enum filename_guess guess = FILENAME_CP949;
    if (!encoding) {
        encoding = encoding_guess(bytes, length);
        if (strcmp(encoding, "CP949") != 0) guess = dos ? FILENAME_CP437 : FILENAME_CP1252;
        if (guess == FILENAME_CP437) encoding = "CP437";
    }
    if (encoding_convert(out, encoding, bytes, length) || !is_clean(out)) {
        ++rule->unknown;
        out->length = 0;
        text_add(out, bytes, length);
    } else if (!rule->encoding) {
        ++rule->guessed;
        rule->guesses |= guess;
    }
}

// Appends one part of a path, shortened if it is too long.
static void add_part(struct text *out, const char *part, size_t length)
{
    if (length <= FILENAME_PART) {
        text_add(out, part, length);
        return;
    }
    const char *dot = memchr(part + length - EXTENSION, '.', EXTENSION);
    size_t kept = FILENAME_PART - EXTENSION - 20;
    while (((unsigned char)part[kept] & 0xc0) == 0x80) --kept; // not within a character
    text_add(out, part, kept);
    text_printf(out, "~%016" PRIx64, hash_bytes(part, length, 0));
    if (dot) text_add(out, dot, (size_t)(part + length - dot));
}

void filename_decode(struct text *out, struct filename_rule *rule, const char *bytes, size_t length, int dos)
{
    struct text name = {0}, shown = {0};
    convert(&name, rule, bytes, length, dos);
    int slashes = name.length && memchr(name.data, '/', name.length);
    for (size_t i = 0; dos && !slashes && i < name.length; ++i)
        if (name.data[i] == '\\') name.data[i] = '/';
    utf8_escape(&shown, name.data ? name.data : "", name.length);
    for (const char *at = shown.data; at;) {
        size_t n = strcspn(at, "/");
        add_part(out, at, n);
        if (at[n]) text_puts(out, "/");
        at = at[n] ? at + n + 1 : NULL;
    }
    if (!out->data) text_puts(out, "");
    text_free(&name);
    text_free(&shown);
}

int filename_encoding_is_known(const char *encoding)
{
    iconv_t converter = iconv_open("UTF-8", encoding);
    if (converter == (iconv_t)-1) return 0;
    iconv_close(converter);
    return 1;
}

void filename_say(const struct filename_rule *rule, const char *path, struct text *out)
{
    static const char *const name[] = {"CP949", "Windows-1252", "CP437"};
    struct text all = {0};
    for (unsigned i = 0; i < sizeof name / sizeof *name; ++i)
        if (rule->guesses & 1u << i) text_printf(&all, "%s%s", all.length ? ", " : "", name[i]);
    if (rule->guessed)
        text_say(out,
                 "%" PRIu32 " names bear no mark of their encoding; read as %s, by guess: '%s'. If they are wrong, "
                 "say --names ENCODING\n",
                 rule->guessed, all.data, path);
    if (rule->unknown)
        text_say(out,
                 "%" PRIu32 " names are in no known encoding, so their bytes are shown as \\xHH: '%s'. Say --names "
                 "ENCODING\n",
                 rule->unknown, path);
    text_free(&all);
}
