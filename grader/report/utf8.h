// Lays out clean text (base/utf8.h) for a terminal: width, line breaks, and replacement by ASCII.
#ifndef REPORT_UTF8_H
#define REPORT_UTF8_H

#include "base/text.h"
#include "base/utf8.h"

// Returns the number of columns of a clean text: two for a wide code point, as in Korean, and one for others. Escape
// sequences for colours have no width.
size_t utf8_width(const char *text, size_t length);
// Appends a clean text and blanks up to `columns`.
void utf8_pad(struct text *out, const char *text, size_t columns);
// Appends a text in ASCII. The report's own symbols have replacements; other code points become "?".
void utf8_to_ascii(struct text *out, const char *text);
// Appends a clean text, broken at blanks before column `width`. It begins at `column`; further lines are indented by
// `indent` columns. It does not end with a line feed.
void utf8_wrap(struct text *out, const char *text, size_t column, size_t indent, size_t width);

#endif
