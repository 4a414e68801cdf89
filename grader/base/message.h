// Prints messages in the reader's language, using gettext. The source code contains the English messages; po/ko.po
// contains the Korean translation.
//
// All text of the grader that people read is translated. Text that programs read is not translated: keys and names of
// findings in JSON, and names of counters. The command "make messages" updates po/, and a test fails when a translation
// is missing.
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

#include <stdarg.h>
#include <stddef.h>

// Marks a string literal in a table so that "make messages" finds the string; the code that prints the string
// translates it with _(). String literals in calls of die(), text_say(), message_print() and similar functions need no
// mark N_().
#define N_(text) text
#define _(text) message_text(text)

// Returns the text in the reader's language, or `text` if no translation exists. The string that message_text() returns
// is valid until the program ends.
const char *message_text(const char *text) __attribute__((format_arg(1)));

// Prints formatted text in the reader's language into an array of `capacity` bytes. Text that does not fit into the
// array is cut between two characters.
void message_print(char *out, size_t capacity, const char *format, ...) __attribute__((format(printf, 3, 4)));
void message_vprint(char *out, size_t capacity, const char *format, va_list);

// Makes this process marshal all its later messages, including those of die() and message_warn(). Marshalling is for
// processes without a catalogue, such as runners, whose messages another process shows. A marshalled message keeps its
// format and its values apart, so that message_unmarshal() can translate the format in the other process.
void message_marshal(void);
// Prints the marshalled message in the reader's language into an array of `capacity` bytes. The string `marshalled` may
// contain any bytes. Text outside marshalled messages stays unchanged. The pointer `out` may be equal to `marshalled`.
void message_unmarshal(char *out, size_t capacity, const char *marshalled);

// The function message_format() returns the translated or marshalled form of the printf format `format`, which the
// caller prints instead of `format`. message_format() may store the translated or marshalled format in `buffer`, which
// has MESSAGE_FORMAT bytes.
enum { MESSAGE_FORMAT = 1024 };
const char *message_format(const char *format, char buffer[MESSAGE_FORMAT]) __attribute__((format_arg(1)));

// Prints `prefix`, a formatted text and a line feed to stderr, as die() and message_warn() do. The text may quote names
// of files and other untrusted text: control characters, and what a build service would obey as a command in its log,
// are replaced by "?" (base/utf8.h). Allocates no memory. Text beyond 8 KiB is cut off.
void message_line(const char *prefix, const char *format, va_list args);
// Prints "warning: <message>" to stderr in the reader's language. The program continues.
void message_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Chooses the character set and the language from the first environment variable of LC_ALL, LC_MESSAGES and LANG that
// is set. `folder` contains the catalogues LANGUAGE/LC_MESSAGES/warpwise.mo. Without a call of message_open(), or
// without a catalogue, messages are in English.
void message_open(const char *folder);

#endif
