// Converts source files of students to UTF-8 with line feeds, so that compilers, reports and quoted lines agree.
#ifndef BASE_ENCODING_H
#define BASE_ENCODING_H

#include "base/text.h"

// Converts the text to UTF-8, without a byte-order mark and with line feeds at the ends of lines. The comment at the
// head of encoding.c gives the rules by which the encoding of a file is guessed. The conversion keeps all line numbers.
// Leaves malformed UTF-16, and bytes that are no text, unchanged. Bytes are no text if they contain a NUL but begin
// with no byte-order mark of UTF-16.
void encoding_to_utf8(struct text *);

#endif
