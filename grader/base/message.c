// gettext's catalogues, without its locales. A minimal system has no locale but C.UTF-8, and gettext translates nothing
// in the locale C: so the language's name is taken from the environment, and handed to gettext as LANGUAGE under
// C.UTF-8, for messages alone. Numbers are printed as in C everywhere, whatever the language.
#define _GNU_SOURCE
#include "base/message.h"

#include <libintl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/josa.h"
#include "base/utf8.h"

#define DOMAIN "warpwise"

static int translated; // a catalogue was looked for

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
    translated = 1;
}

const char *message_text(const char *text)
{
    return translated && *text ? dgettext(DOMAIN, text) : text;
}

void text_vsay(struct text *t, const char *format, va_list args)
{
    size_t from = t->length;
    text_vprintf(t, message_text(format), args);
    if (translated) josa_choose(t, from);
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
    snprintf(out, capacity, "%s", t.data ? t.data : "");
    out[utf8_invalid(out, strlen(out))] = '\0'; // a character that was cut
    text_free(&t);
}

void message_print(char *out, size_t capacity, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message_vprint(out, capacity, format, args);
    va_end(args);
}
