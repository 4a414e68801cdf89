// Converts source files of students to UTF-8 with line feeds, so that compilers, reports and quoted lines agree.
#ifndef BASE_ENCODING_H
#define BASE_ENCODING_H

#include "base/text.h"

// Replaces the text by its characters in UTF-8, without a byte-order mark and with line feeds at the ends of lines. The
// rule by which the encoding is decided stands at the head of encoding.c. Line numbers do not change. Leaves bytes that
// are no text, and UTF-16 that is malformed, as they are.
void encoding_to_utf8(struct text *);

#endif
