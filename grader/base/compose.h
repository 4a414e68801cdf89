// Composes Unicode characters, so that equal names compare equal whichever system wrote them. The system macOS splits
// "é" into "e" and an accent, and "한" into three letters (Unicode's form NFD), while other systems keep one character
// (NFC).
#ifndef BASE_COMPOSE_H
#define BASE_COMPOSE_H

// Turns UTF-8 text in NFD into NFC, in place; the text never grows. Text in NFC, and bytes that are not UTF-8, stay as
// they are.
void compose_text(char *text);

#endif
