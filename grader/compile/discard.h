// Tells whether a source ignores the value that a call returns.
#ifndef COMPILE_DISCARD_H
#define COMPILE_DISCARD_H

#include <stddef.h>
#include <stdint.h>

// Returns 1 if the call of `name` at the source's line `line` is a statement of its own, so that nobody looks at the
// value that it returns. Returns 0 if the value is used, handed to a macro or cast to void, if the line has no call of
// `name`, or if it has several of which one is used. The name ends at the first character that is not part of a word.
int compile_discards(const char *source, size_t bytes, uint32_t line, const char *name);

#endif
