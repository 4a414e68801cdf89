// Converts source files of students to UTF-8 with line feeds, so that compilers, reports and quoted lines agree. Also
// converts other bytes, such as the names of files, to UTF-8.
#ifndef BASE_ENCODING_H
#define BASE_ENCODING_H

#include <stddef.h>

struct text;

// Converts the text to UTF-8, without a byte-order mark and with line feeds at the ends of lines. The comment at the
// head of encoding.c gives the rules by which the encoding of a file is guessed. The conversion keeps all line numbers.
// Leaves malformed UTF-16, and bytes that are no text, unchanged. Bytes are no text if they contain a NUL but begin
// with no byte-order mark of UTF-16.
void encoding_to_utf8(struct text *);
// Converts bytes in an encoding that iconv() knows to UTF-8, and appends the result to `out`. Returns 0. Returns -1 and
// appends nothing if the bytes are malformed or iconv() does not know the encoding.
int encoding_convert(struct text *out, const char *encoding, const char *bytes, size_t length);
// Guesses the encoding of bytes without a NUL by the rules 3 to 5 of encoding.c: "UTF-8", "CP949" or "CP1252". Bytes
// that are said to be in CP1252 may be malformed.
const char *encoding_guess(const char *bytes, size_t length);

#endif
