// See message.h. The functions of message.c use gettext's catalogues, but need no locale for the catalogue's language.
// A minimal system has only the locales C and C.UTF-8, and gettext translates nothing in the locale C. Because gettext
// translates nothing in the locale C, message_open() reads the language from the environment and passes the language to
// gettext in the variable LANGUAGE. The locale of messages (LC_MESSAGES) is C.UTF-8. Numbers in messages are printed as
// in the locale C.
//
// A marshalled message is a format with its values, which another process translates. The bytes BEGIN and END enclose a
// marshalled message. In a marshalled message, each printf conversion of the format is followed by its value, for
// example OPEN %s IS mul CLOSE. If the values are removed from a marshalled message, the original format remains, for
// which the catalogue has a translation. A value in a marshalled message may itself be a marshalled message, for
// example a label in "expected %s".
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
#include "base/text.h"
#include "base/utf8.h"

#define DOMAIN "warpwise"

enum mark { BEGIN = 2, END, OPEN, IS, CLOSE };
enum { NESTED = 4, FILLED = 8 }; // most levels of nested messages; most conversions in a message

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

// Sets the character set of the locale that the environment names, even if the system lacks this locale.
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
    size_t length = strcspn(locale, "._@"); // the language of ko_KR.UTF-8 is ko
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

// Returns `text`, a string literal of the program, between the bytes BEGIN and END. The result of marshalled_phrase()
// is never freed, because a process marshals only few different string literals.
static const char *marshalled_phrase(const char *text)
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
    return mode == MARSHALLED ? marshalled_phrase(text) : translation(text);
}

// Returns the end of the printf conversion that starts at the '%' to which `at` points.
static const char *conversion_end(const char *at)
{
    at += 1 + strspn(at + 1, "0123456789$.*+-# lhjzt");
    return *at ? at + 1 : at;
}

static int is_percent(const char *at)
{
    return at[0] == '%' && at[1] == '%';
}

// Returns the printf format that prints `format` and its values as a marshalled message. The returned format is
// `format` with each %s replaced by OPEN %%s IS %s CLOSE, and each %% replaced by %%%%. The format "%s" alone stays
// unchanged, because "%s" passes on a message that is already complete.
static const char *marshalled_format(const char *format, char buffer[MESSAGE_FORMAT])
{
    enum { MORE = 8 }; // bytes added to a conversion, including END
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
    return mode == MARSHALLED ? marshalled_format(format, buffer) : message_text(format);
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
    out[utf8_invalid(out, strlen(out))] = '\0'; // cut off a UTF-8 character that is incomplete at the end
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

struct part { // a part of the marshalled text: `bytes` bytes at `at`
    const char *at;
    size_t bytes;
};

// Returns the text from *at to the matching byte `closes`, and moves *at behind the byte `closes`. The bytes `opens`
// and `closes` match like brackets; the byte before *at is an `opens`. The byte `closes` is END if `opens` is BEGIN, IS
// if `opens` is OPEN, and CLOSE if `opens` is IS. Nested pairs of `opens` and `closes` belong to the returned text.
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

static void unmarshal(struct text *out, struct part part, int depth);

// Splits a marshalled message into the values and the format, as the format stands in the source code. Returns the
// number of values in the marshalled message.
static unsigned split(struct text *format, struct part part, struct part filled[FILLED])
{
    unsigned count = 0;
    for (const char *at = part.at, *end = part.at + part.bytes; at < end;) {
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

static void unmarshal_message(struct text *out, struct part part, int depth)
{
    struct text format = {0};
    struct part filled[FILLED];
    unsigned count = split(&format, part, filled), next = 0;
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

static void unmarshal(struct text *out, struct part part, int depth)
{
    for (const char *at = part.at, *end = part.at + part.bytes; at < end;) {
        if (*at != BEGIN || depth > NESTED) {
            text_printf(out, "%c", *at++);
            continue;
        }
        at++;
        unmarshal_message(out, take(&at, end, BEGIN, END), depth);
    }
}

void message_unmarshal(char *out, size_t capacity, const char *marshalled)
{
    struct text t = {0};
    unmarshal(&t, (struct part){marshalled, strlen(marshalled)}, 0);
    put(out, capacity, &t);
}

void message_line(const char *prefix, const char *format, va_list args)
{
    char line[8192];
    int length = vsnprintf(line, sizeof line, format, args);
    struct text t = {.data = line, .length = strnlen(line, length < 0 ? 0 : sizeof line)};
    for (char *at = line; mode != MARSHALLED && *at; ++at)
        if (((unsigned char)*at < ' ' && *at != '\n' && *at != '\t') || *at == 127) *at = '?';
    if (mode != MARSHALLED) utf8_clean_log(&t);
    fflush(stdout);
    fprintf(stderr, "%s%.*s\n", prefix, (int)t.length, line);
}

void message_warn(const char *format, ...)
{
    char buffer[MESSAGE_FORMAT];
    va_list args;
    va_start(args, format);
    message_line(_("warning: "), message_format(format, buffer), args);
    va_end(args);
}
