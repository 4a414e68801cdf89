// gettext's catalogues, without its locales. A minimal system has no locale but C.UTF-8, and gettext translates nothing
// in the locale C: so the language's name is taken from the environment, and handed to gettext as LANGUAGE under
// C.UTF-8, for messages alone. Numbers are printed as in C everywhere, whatever the language.
//
// A marshalled message crosses a process border with its format. BEGIN and END enclose it, and each conversion of the
// format is followed by its value: OPEN %s IS mul CLOSE. Without the values it is the format again, which the catalogue
// knows. A value may itself be a marshalled message ("expected %s", a label).
#define _GNU_SOURCE
#include "base/message.h"

#include <libintl.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/josa.h"
#include "base/utf8.h"

#define DOMAIN "warpwise"

enum mark { BEGIN = 2, END, OPEN, IS, CLOSE };
enum { NESTED = 4, FILLED = 8 }; // maximum depth of messages within messages; maximum conversions of a message

static enum { PLAIN, TRANSLATED, MARSHALLED } mode;

static const char *asked(void)
{
    static const char *const name[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    for (size_t i = 0; i < sizeof name / sizeof *name; ++i) {
        const char *value = getenv(name[i]);
        if (value && *value) return value;
    }
    return "C";
}

// The characters that the environment asks for, on a system that does not have that locale.
static void choose_characters(const char *locale)
{
    if (setlocale(LC_CTYPE, "")) return;
    const char *charset = strchr(locale, '.');
    if (charset && (!strncasecmp(charset + 1, "utf-8", 5) || !strncasecmp(charset + 1, "utf8", 4)))
        setlocale(LC_CTYPE, "C.UTF-8");
}

void message_open(const char *folder)
{
    char language[16];
    const char *locale = asked();
    choose_characters(locale);
    size_t length = strcspn(locale, "._@"); // ko_KR.UTF-8 is ko
    if (length == 0 || length >= sizeof language) return;
    snprintf(language, sizeof language, "%.*s", (int)length, locale);
    if (!strcmp(language, "C") || !strcmp(language, "POSIX") || !strcmp(language, "en")) return;
    if (!setlocale(LC_MESSAGES, "C.UTF-8") || setenv("LANGUAGE", language, 1)) return;
    bindtextdomain(DOMAIN, folder);
    bind_textdomain_codeset(DOMAIN, "UTF-8");
    mode = TRANSLATED;
}

void message_marshal(void)
{
    mode = MARSHALLED;
}

// The text, a literal of the source, between BEGIN and END, kept for ever: the few phrases that fill in others.
static const char *marshal_phrase(const char *text)
{
    static struct phrase {
        struct phrase *next;
        const char *text;
        char held[];
    } * first;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    size_t length = strlen(text);
    pthread_mutex_lock(&lock);
    struct phrase *p = first;
    while (p && p->text != text) p = p->next;
    if (!p && (p = malloc(sizeof *p + length + 3))) {
        p->next = first;
        p->text = text;
        snprintf(p->held, length + 3, "%c%s%c", BEGIN, text, END);
        first = p;
    }
    pthread_mutex_unlock(&lock);
    return p ? p->held : text;
}

static const char *translation(const char *text)
{
    return mode == TRANSLATED && *text ? dgettext(DOMAIN, text) : text;
}

const char *message_text(const char *text)
{
    return mode == MARSHALLED ? marshal_phrase(text) : translation(text);
}

// Returns the end of the conversion that starts at the '%'.
static const char *conversion_end(const char *at)
{
    at += 1 + strspn(at + 1, "0123456789$.*+-# lhjzt");
    return *at ? at + 1 : at;
}

static int is_percent(const char *at)
{
    return at[0] == '%' && at[1] == '%';
}

// Returns a format that prints a marshalled message: OPEN %%s IS %s CLOSE for each %s, and %%%% for %%. A bare "%s"
// stays, because its value is a complete message.
static const char *marshal_format(const char *format, char buffer[MESSAGE_FORMAT])
{
    enum { MORE = 8 }; // bytes that are added to a conversion, and the sentence's END
    size_t n = 0;
    if (!strcmp(format, "%s")) return format;
    buffer[n++] = BEGIN;
    for (const char *at = format; *at;) {
        const char *end = *at == '%' ? conversion_end(at) : at + 1;
        size_t length = (size_t)(end - at);
        if (n + 2 * length + MORE > MESSAGE_FORMAT) return format;
        if (is_percent(at)) {
            n += (size_t)snprintf(buffer + n, MESSAGE_FORMAT - n, "%%%%%%%%");
            at += 2;
            continue;
        }
        if (*at == '%')
            n += (size_t)snprintf(buffer + n, MESSAGE_FORMAT - n, "%c%%%.*s%c%.*s%c", OPEN, (int)length, at, IS,
                                  (int)length, at, CLOSE);
        else
            buffer[n++] = *at;
        at = end;
    }
    buffer[n++] = END;
    buffer[n] = '\0';
    return buffer;
}

const char *message_format(const char *format, char buffer[MESSAGE_FORMAT])
{
    return mode == MARSHALLED ? marshal_format(format, buffer) : message_text(format);
}

void text_vsay(struct text *t, const char *format, va_list args)
{
    char buffer[MESSAGE_FORMAT];
    size_t from = t->length;
    text_vprintf(t, message_format(format, buffer), args);
    if (mode == TRANSLATED) josa_choose(t, from);
}

static void put(char *out, size_t capacity, struct text *t)
{
    snprintf(out, capacity, "%s", t->data ? t->data : "");
    out[utf8_invalid(out, strlen(out))] = '\0'; // a character that was cut
    text_free(t);
}

void text_say(struct text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_vsay(t, format, args);
    va_end(args);
}

void message_vprint(char *out, size_t capacity, const char *format, va_list args)
{
    struct text t = {0};
    text_vsay(&t, format, args);
    put(out, capacity, &t);
}

void message_print(char *out, size_t capacity, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message_vprint(out, capacity, format, args);
    va_end(args);
}

// ---------------------------------------------------------------- unmarshalling

struct part { // `bytes` bytes at `at` of a marshalled message
    const char *at;
    size_t bytes;
};

// Returns the part from *at to the mark `closes` that matches an `opens` before *at, and moves *at behind that mark.
static struct part take(const char **at, const char *end, char opens, char closes)
{
    struct part part = {.at = *at};
    const char *p = *at;
    for (int depth = 0; p < end; ++p) {
        if (*p == opens) depth++;
        if (*p == closes && !depth--) break;
    }
    part.bytes = (size_t)(p - part.at);
    *at = p < end ? p + 1 : p;
    return part;
}

static void unmarshal(struct text *out, struct part held, int depth);

// Splits a marshalled message into its format and the values of the conversions. Returns the number of values.
static unsigned split(struct text *format, struct part held, struct part filled[FILLED])
{
    unsigned count = 0;
    for (const char *at = held.at, *end = held.at + held.bytes; at < end;) {
        if (*at != OPEN) {
            text_printf(format, "%c", *at++);
            continue;
        }
        at++;
        struct part conversion = take(&at, end, OPEN, IS), value = take(&at, end, IS, CLOSE);
        text_printf(format, "%.*s", (int)conversion.bytes, conversion.at);
        if (count < FILLED) filled[count++] = value;
    }
    return count;
}

static void unmarshal_sentence(struct text *out, struct part held, int depth)
{
    struct text format = {0};
    struct part filled[FILLED];
    unsigned count = split(&format, held, filled), next = 0;
    size_t from = out->length;
    const char *at = format.data ? translation(format.data) : "";
    while (*at) {
        size_t plain = strcspn(at, "%");
        text_printf(out, "%.*s", (int)plain, at);
        at += plain;
        if (is_percent(at)) text_printf(out, "%%");
        if (is_percent(at) || !*at) {
            at += *at ? 2 : 0;
            continue;
        }
        size_t digits = strspn(at + 1, "0123456789");
        unsigned which = at[1 + digits] == '$' ? (unsigned)strtoul(at + 1, NULL, 10) - 1 : next++;
        if (which < count) unmarshal(out, filled[which], depth + 1);
        at = conversion_end(at);
    }
    if (mode == TRANSLATED) josa_choose(out, from);
    text_free(&format);
}

static void unmarshal(struct text *out, struct part held, int depth)
{
    for (const char *at = held.at, *end = held.at + held.bytes; at < end;) {
        if (*at != BEGIN || depth > NESTED) {
            text_printf(out, "%c", *at++);
            continue;
        }
        at++;
        unmarshal_sentence(out, take(&at, end, BEGIN, END), depth);
    }
}

void message_unmarshal(char *out, size_t capacity, const char *held)
{
    struct text t = {0};
    unmarshal(&t, (struct part){held, strlen(held)}, 0);
    put(out, capacity, &t);
}
