// Messages in the reader's language, by gettext. English is what the source says; po/ko.po holds the Korean.
//
// Everything a person reads passes through here; words that programs read (JSON's keys, a finding's "word" in it, the
// names of counters) never do. "make messages" brings po/ up to date, and a test fails when a translation is missing.
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

#include "base/text.h"

// Marks a text that stands in a table, or is taken by a function that translates it (die, warn, text_say, lab_reject,
// lab_technique need no mark).
#define N_(text) text
#define _(text) message_text(text)

// The text in the reader's language; itself where there is no translation. Lives as long as the program.
const char *message_text(const char *text) __attribute__((format_arg(1)));

// text_printf in the reader's language, with the particles that Korean has behind what was filled in.
void text_say(struct text *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vsay(struct text *, const char *format, va_list);
// The same into an array of `capacity` bytes: whole characters, as many as fit.
void message_print(char *out, size_t capacity, const char *format, ...) __attribute__((format(printf, 3, 4)));
void message_vprint(char *out, size_t capacity, const char *format, va_list);

// Marshalled messages. A runner has no catalogue of translations; the process that started it prints its messages. So a
// runner calls message_marshal(), and from then on every message that it makes (die and warn included) keeps its format
// and its values apart. The other process calls message_unmarshal(), which writes such a message in the reader's
// language.
void message_marshal(void);
// Translates `held` into `out`, at most `capacity` bytes; `out` may be `held`. `held` may contain any bytes, for it
// comes from a process that is not trusted. Text that is not marshalled stays as it is.
void message_unmarshal(char *out, size_t capacity, const char *held);

// Returns the format for callers that print by themselves: translated, or one that prints a marshalled message. It may
// be stored in `buffer`.
enum { MESSAGE_FORMAT = 1024 };
const char *message_format(const char *format, char buffer[MESSAGE_FORMAT]) __attribute__((format_arg(1)));

// Chooses characters and language by LC_ALL, LC_MESSAGES or LANG, in that order; `folder` holds
// LANGUAGE/LC_MESSAGES/warpwise.mo. Without a call, or without a catalogue, messages are English.
void message_open(const char *folder);

#endif
