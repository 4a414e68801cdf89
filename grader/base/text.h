// Growing text: bytes with a NUL behind them. For reports, messages and files read whole.
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>

// Zero-initialised it is empty. `data` is owned and NULL while nothing was added; freed by text_free.
struct text {
    char *data;
    size_t length, capacity;
};

void text_add(struct text *t, const char *bytes, size_t length);
void text_puts(struct text *t, const char *string);
void text_printf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(struct text *t, const char *format, va_list args);
void text_free(struct text *t);

// Reads a whole regular file of at most `limit` bytes. 0, or an errno value: EISDIR for a directory, EINVAL for
// anything else that is not a regular file, EFBIG beyond the limit. Never follows a link in the last component: ELOOP.
int text_read_file(struct text *t, const char *path, size_t limit);

// Writes a file that is never seen half written: aside, as "<path>.<number>", then renamed. `mode` as open has it. 0,
// or an errno value; then the file is as it was before.
int text_write_file(const struct text *t, const char *path, unsigned mode);

// Reads a stranger's file: `path` lies in the folder that the descriptor `folder` is open on, and no link leads to it
// nor out of there, in no component; it has no second name either (EMLINK: it may be somebody else's). Else as above.
// EXDEV or ELOOP: it leads away.
int text_read_beneath(struct text *t, int folder, const char *path, size_t limit);

#endif
