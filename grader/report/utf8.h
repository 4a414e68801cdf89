// Lays out clean text (base/utf8.h) for a terminal: computes widths, breaks lines, and converts to ASCII.
#ifndef REPORT_UTF8_H
#define REPORT_UTF8_H

#include "base/text.h"
#include "base/utf8.h"

// Returns the number of columns of a clean text. A wide code point, such as a Korean syllable, has two columns, and
// other code points have one column. Escape sequences for colours have no width.
size_t utf8_width(const char *text, size_t length);
// Appends a clean text, and then blanks until the text has `columns` columns.
void utf8_pad(struct text *out, const char *text, size_t columns);
// Appends a text in ASCII. The report's own symbols have replacements. Other code points become "?".
void utf8_to_ascii(struct text *out, const char *text);
// Appends a clean text, broken at blanks before column `width`. The first line begins at `column`. Further lines are
// indented by `indent` columns. The text does not end with a line feed.
void utf8_wrap(struct text *out, const char *text, size_t column, size_t indent, size_t width);

#endif
