// Checks untrusted text for valid UTF-8 and replaces what must not be shown.
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "base/text.h"

// Returns the length of the well-formed sequence at `at`, 1 to 4 bytes, or 0 if there is none. `left` bytes can be
// read. Source: The Unicode Standard, table 3-7.
size_t utf8_length(const char *at, size_t left);
// Returns the offset of the first byte outside all well-formed sequences, or `length` if there is none.
size_t utf8_invalid(const char *bytes, size_t length);
// Appends `length` bytes so that a terminal or report can show them. Replaces with "?": bytes that are not UTF-8,
// control characters other than line feed and tab, and characters that break lines or change the direction of writing.
// Such characters can make one line look like another (Boucher and Anderson, "Trojan Source", 2021).
void utf8_clean(struct text *out, const char *bytes, size_t length);
// As utf8_clean(), but also replaces line feed and tab. For text that must stay on one line, such as the name of a
// file.
void utf8_clean_line(struct text *out, const char *bytes, size_t length);

#endif
