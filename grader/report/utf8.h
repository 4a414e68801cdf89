// Lays out clean text (base/utf8.h) for a terminal: computes widths, breaks lines, and converts to ASCII.
#ifndef REPORT_UTF8_H
#define REPORT_UTF8_H

#include "base/text.h"
#include "base/utf8.h"

// Returns the number of terminal columns of a clean text. A wide code point, such as a Korean syllable, has two
// columns, and other code points have one column. Escape sequences for colours count as no column.
size_t utf8_width(const char *text, size_t length);
// Appends a clean text, and then blanks up to a width of `columns` columns.
void utf8_pad(struct text *out, const char *text, size_t columns);
// Appends a text, converted to ASCII. The symbols that reports use, such as "×", have ASCII replacements, such as "x".
// All other code points beyond ASCII become "?".
void utf8_to_ascii(struct text *out, const char *text);
// Appends a clean text, broken at blanks before column `width`. The first line of the broken text begins at `column`.
// All further lines of the broken text are indented by `indent` columns. The function appends no line feed after the
// last line.
void utf8_wrap(struct text *out, const char *text, size_t column, size_t indent, size_t width);

#endif
