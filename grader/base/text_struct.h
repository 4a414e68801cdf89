// Defines struct text for the headers whose structs hold one. Its functions are declared in text.h.
#ifndef BASE_TEXT_STRUCT_H
#define BASE_TEXT_STRUCT_H

#include <stddef.h>

// A struct text is a string of bytes that grows as needed and ends with a NUL. A zero-initialised struct text is empty.
// A struct text owns `data`, which is NULL until bytes are added. The caller frees a struct text with text_free().
struct text {
    char *data;
    size_t length, capacity;
};

#endif
