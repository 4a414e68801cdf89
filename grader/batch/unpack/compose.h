// Composes Unicode characters, so that equal names compare equal whichever system wrote them. The system macOS splits
// "é" into "e" and an accent, and "한" into three letters (Unicode's form NFD), while other systems keep one character
// (NFC).
#ifndef BATCH_UNPACK_COMPOSE_H
#define BATCH_UNPACK_COMPOSE_H

#include "base/text.h"

// Turns UTF-8 text into NFC. Bytes that are not UTF-8 stay as they are.
void compose_text(struct text *);
// Turns the string in a field of `size` bytes into NFC, as compose_text() does. A string whose NFC does not fit into
// the field stays as it is. Few strings grow: those with characters that NFC takes apart, such as U+0958.
void compose_field(char *field, size_t size);

#endif
