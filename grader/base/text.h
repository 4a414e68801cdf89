// A text that grows: bytes with a NUL after the last one. Used for reports, messages and whole files. The functions end
// the program when memory runs out (base/alloc.h).
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>

// A zero-initialised text is empty. The text owns `data`, which is NULL until something is added. Free it with
// text_free().
struct text {
    char *data;
    size_t length, capacity;
};

// Append `length` bytes, a string, or formatted text.
void text_add(struct text *t, const char *bytes, size_t length);
void text_puts(struct text *t, const char *string);
void text_printf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(struct text *t, const char *format, va_list args);
// Append formatted text in the reader's language (base/message.h).
void text_say(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vsay(struct text *t, const char *format, va_list args);
// Frees the data; the text is empty afterwards.
void text_free(struct text *t);

// Appends a whole regular file of at most `limit` bytes. Returns 0 or an errno value: EISDIR for a directory, EINVAL
// for anything else that is not a regular file, EFBIG above the limit, ELOOP if the last component of the path is a
// link.
int text_read_file(struct text *t, const char *path, size_t limit);

// Writes the text to a file so that no reader sees it half written: to "<path>.<process number>", which is then
// renamed. `mode` is that of open(). Returns 0, or an errno value with the file unchanged.
int text_write_file(const struct text *t, const char *path, unsigned mode);

// Appends an untrusted file, as text_read_file() does. `path` is relative to the folder open as descriptor `folder` and
// must stay inside: EXDEV if it leads out, ELOOP if any component is a link. EMLINK if the file has a second hard link,
// because it may then belong to another user.
int text_read_beneath(struct text *t, int folder, const char *path, size_t limit);

#endif
