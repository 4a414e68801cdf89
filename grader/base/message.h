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

// A process whose sentences another one hands to the reader, as a runner's are, has no catalogue. After message_hold()
// all that it says (also by die and warn) keeps its seams: the format, and what was filled in, apart. message_tell()
// says it in the reader's language, whatever the bytes of `held` are; text without seams stays as it is. `out` may be
// `held`.
void message_hold(void);
void message_tell(char *out, size_t capacity, const char *held);

// The format to print with, for those who print by themselves: translated or with seams; `buffer` may be used for it.
enum { MESSAGE_FORMAT = 1024 };
const char *message_format(const char *format, char buffer[MESSAGE_FORMAT]) __attribute__((format_arg(1)));

// Chooses characters and language by LC_ALL, LC_MESSAGES or LANG, in that order; `folder` holds
// LANGUAGE/LC_MESSAGES/warpwise.mo. Without a call, or without a catalogue, messages are English.
void message_open(const char *folder);

#endif
