// Messages in the reader's language, by gettext. The source contains the English text; po/ko.po contains the Korean.
//
// Everything that a person reads is translated here. Words that programs read are not: keys and finding words in JSON,
// and names of counters. "make messages" updates po/, and a test fails when a translation is missing.
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

#include "base/text.h"

// Marks a text for translation that a table holds and other code translates later. Arguments of die(), text_say(),
// message_print() and similar functions need no mark.
#define N_(text) text
#define _(text) message_text(text)

// Returns the text in the reader's language, or `text` if it has no translation. Valid until the program ends.
const char *message_text(const char *text) __attribute__((format_arg(1)));

// Print formatted text in the reader's language into an array of `capacity` bytes. Cut it between two characters if it
// does not fit.
void message_print(char *out, size_t capacity, const char *format, ...) __attribute__((format(printf, 3, 4)));
void message_vprint(char *out, size_t capacity, const char *format, va_list);

// Makes all later messages of this process marshalled ones, also those of die() and message_warn(). For processes
// without a catalogue whose messages another process shows, such as runners. A marshalled message keeps its format and
// the values filled in apart, so that message_unmarshal() can translate it in the other process.
void message_marshal(void);
// Prints the marshalled message in the reader's language into an array of `capacity` bytes. `marshalled` may contain
// any bytes; text that is not marshalled stays unchanged. `out` may be equal to `marshalled`.
void message_unmarshal(char *out, size_t capacity, const char *marshalled);

// Returns the format to print with instead of `format`: translated or marshalled. `buffer` may hold the result.
enum { MESSAGE_FORMAT = 1024 };
const char *message_format(const char *format, char buffer[MESSAGE_FORMAT]) __attribute__((format_arg(1)));

// Prints "warning: <message>" to stderr and continues.
void message_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Chooses characters and language by the environment variables LC_ALL, LC_MESSAGES or LANG, in this order. `folder`
// contains the catalogues LANGUAGE/LC_MESSAGES/warpwise.mo. Without this call or a catalogue, messages are in English.
void message_open(const char *folder);

#endif
