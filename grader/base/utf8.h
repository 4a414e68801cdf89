// Checks whether untrusted text is valid UTF-8 and replaces characters that must not be shown.
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

struct text;

// Returns the length of the well-formed UTF-8 sequence at `at`, 1 to 4 bytes. Returns 0 if the sequence at `at` is
// malformed or longer than `left` bytes. The function reads at most `left` bytes at `at`. Table 3-7 of the Unicode
// Standard lists the well-formed UTF-8 sequences.
size_t utf8_length(const char *at, size_t left);
// Returns the offset of the first byte that is not part of a well-formed UTF-8 sequence, or `length` if all bytes are
// valid.
size_t utf8_invalid(const char *bytes, size_t length);
// Appends `length` bytes to `out` so that a terminal or report can show the text. Replaces bytes that are not UTF-8
// with "?". Also replaces control characters other than line feed and tab, and characters that break lines or change
// the direction of writing, with "?". Characters that change the direction of writing can make one line look like
// another line (Boucher and Anderson, "Trojan Source", 2021).
void utf8_clean(struct text *out, const char *bytes, size_t length);
// Appends text as utf8_clean() does, but also replaces line feed and tab with "?". Text that must stay on one line,
// such as the name of a file, is cleaned with utf8_clean_line().
void utf8_clean_line(struct text *out, const char *bytes, size_t length);
// Appends text for one line so that different texts stay different. Replaces each byte that utf8_clean_line() would
// replace by "\xHH", with two hexadecimal digits, and a backslash by two.
void utf8_escape(struct text *out, const char *bytes, size_t length);
// Disarms text that a build service would obey as a command in its log. GitHub obeys "::" at the start of a line, after
// any white space of Unicode, as in "::error::". Other services obey "##" before letters and "[", as in "##[error]",
// "##vso[task.complete]" and "##teamcity[…]". Replaces the first character of each such "::" or "##" by "?". Every
// output that quotes a submission or other untrusted text passes utf8_clean_log() as a whole.
void utf8_clean_log(struct text *);

#endif
