// Fills a struct text (base/text_struct.h), such as a report, a message or a whole file. The functions of text.h end
// the program when memory runs out (base/alloc.h).
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>

#include "base/text_struct.h"

// Appends `length` bytes, a string, or formatted text to `t`.
void text_add(struct text *t, const char *bytes, size_t length);
void text_puts(struct text *t, const char *string);
void text_printf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(struct text *t, const char *format, va_list args);
// Translates the format into the reader's language (base/message.h) and appends the formatted text to `t`.
void text_say(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vsay(struct text *t, const char *format, va_list args);
// Frees the data of the text. After text_free(), the struct text is empty and can be used again.
void text_free(struct text *t);

// Appends the content of the regular file at `path` to `t`. Returns 0, or an errno value on failure. Returns EISDIR if
// `path` is a directory, and EINVAL if `path` is a device, a pipe or a socket. Returns EFBIG if the text would exceed
// `limit` bytes, and ELOOP if the last component of `path` is a symbolic link.
int text_read_file(struct text *t, const char *path, size_t limit);

// Writes the text to the file `path` so that no reader sees the file half written. The function first writes to the
// file "<path>.<process number>" and then renames this file to `path`. `mode` is the access mode of the new file, as in
// open(). Returns 0. On failure, returns an errno value and leaves the file at `path` unchanged.
int text_write_file(const struct text *t, const char *path, unsigned mode);

// Appends the content of an untrusted file to `t`, as text_read_file() does. `path` is relative to the folder open as
// descriptor `folder`. Returns 0 or an errno value of text_read_file(). Also returns EXDEV if `path` leads out of the
// folder, and ELOOP if any component of `path` is a symbolic link. Returns EMLINK if the file has a second hard link,
// because a file with two hard links may belong to another user.
int text_read_beneath(struct text *t, int folder, const char *path, size_t limit);

#endif
