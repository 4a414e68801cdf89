// Clean text (base/utf8.h) on a terminal: its width, its lines, and what stands for a sign in ASCII.
#ifndef REPORT_UTF8_H
#define REPORT_UTF8_H

#include "base/text.h"
#include "base/utf8.h"

// Columns of a clean text: two for a wide code point, as of Korean, one for others; colour's escape sequences count
// nothing.
size_t utf8_width(const char *text, size_t length);
// Appends a clean text, and blanks up to `columns`.
void utf8_pad(struct text *out, const char *text, size_t columns);
// Appends a text in ASCII: the report's own signs by what stands for them, others as "?".
void utf8_to_ascii(struct text *out, const char *text);
// Appends a clean text, broken at blanks before column `width`; the next lines are indented by `indent` columns.
// `column` is where it begins. Ends without a line feed.
void utf8_wrap(struct text *out, const char *text, size_t column, size_t indent, size_t width);

#endif
