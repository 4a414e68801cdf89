// Lays out text for a terminal: computes widths, breaks lines, and converts to ASCII. Most functions of report/utf8.h
// require text that utf8_clean() of base/utf8.h has cleaned.
#ifndef REPORT_UTF8_H
#define REPORT_UTF8_H

#include "base/utf8.h"

struct text;

// Returns the number of terminal columns of a text that utf8_clean() has cleaned. A wide code point, such as a Korean
// syllable, has two columns. A combining mark has none, and neither has an escape sequence for a colour. Other code
// points have one column, and so has each byte of a sequence that `length` cuts off.
size_t utf8_width(const char *text, size_t length);
// Appends a text that utf8_clean() has cleaned, and then blanks up to a width of `columns` columns.
void utf8_pad(struct text *out, const char *text, size_t columns);
// Appends a text, converted to ASCII. The symbols that reports use, such as "×", have ASCII replacements, such as "x".
// Code points beyond ASCII that have no replacement become "?".
void utf8_to_ascii(struct text *out, const char *text);
// Appends a text that utf8_clean() has cleaned, with line breaks at blanks so that lines end before column `width`,
// except where one word is longer. The first appended line begins at column `column`, and each further line is indented
// by `indent` columns. utf8_wrap() appends no line feed after the last line.
void utf8_wrap(struct text *out, const char *text, size_t column, size_t indent, size_t width);

#endif
