// Text of strangers: is it UTF-8, and what of it may be shown.
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "base/text.h"

// Bytes of the well-formed sequence at `at` (The Unicode Standard, table 3-7), of which `left` bytes are there: 1 to 4;
// 0: there is none.
size_t utf8_length(const char *at, size_t left);
// Offset of the first byte that belongs to no well-formed sequence; `length` if there is none.
size_t utf8_invalid(const char *bytes, size_t length);
// Appends `length` bytes as they may go to a terminal or into a report. "?" stands for what is no UTF-8, for control
// characters but line feed and tab, and for what breaks lines or turns the direction of writing, by which a line can be
// made to look like another (Boucher and Anderson, "Trojan Source", 2021).
void utf8_clean(struct text *out, const char *bytes, size_t length);
// The same for what must stay on its line, a file's name say: "?" for line feed and tab too.
void utf8_clean_line(struct text *out, const char *bytes, size_t length);

#endif
