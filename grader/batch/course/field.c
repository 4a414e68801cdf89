// Finds the line of a field in a JSON text. The library jansson, which parses JSON, does not tell the lines of fields.
// The functions of field.c therefore read the text again, count its lines, and compare the path of each field with the
// wanted path. They only have to tell names from values, because jansson has already found the text valid.
#include "batch/course/field.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"

enum { DEPTH_MOST = 64 };

struct walk {
    const char *at, *end;
    const char *wanted; // path of the field that is looked for
    int line, found;    // present line; line of the field, or 0
};

void field_below(char path[FIELD_PATH], const char *above, const char *name)
{
    snprintf(path, FIELD_PATH, "%.180s%s%.60s", above, *above ? "." : "", name);
}

// Skips blanks, and then one character if it is in `marks`. Returns the skipped character of `marks`, or 0 if another
// character follows the blanks.
static char skip(struct walk *w, const char *marks)
{
    for (; w->at < w->end && strchr(" \t\r\n", *w->at) && *w->at; ++w->at) w->line += *w->at == '\n';
    return w->at < w->end && *w->at && strchr(marks, *w->at) ? *w->at++ : '\0';
}

// Skips a string whose opening quotation mark has been skipped.
static void skip_string(struct walk *w)
{
    for (; w->at < w->end && *w->at != '"'; ++w->at) w->at += *w->at == '\\' && w->at + 1 < w->end;
    if (w->at < w->end) ++w->at;
}

// Reads the name of a field, whose opening quotation mark has been skipped, and writes the field's path to `path`.
static void read_name(struct walk *w, const char *above, char path[FIELD_PATH])
{
    const char *from = w->at - 1;
    skip_string(w);
    json_t *name = json_loadb(from, (size_t)(w->at - from), JSON_DECODE_ANY, NULL);
    field_below(path, above, json_is_string(name) ? json_string_value(name) : "");
    json_decref(name);
}

static void skip_value(struct walk *w, const char *above, int depth)
{
    char path[FIELD_PATH], open = skip(w, "{[\"");
    if (open == '"') skip_string(w);
    if (!open) w->at += strcspn(w->at, ",]} \t\r\n");
    if (open != '{' && open != '[') return;
    for (char close = open == '{' ? '}' : ']'; w->at < w->end && !w->found && depth < DEPTH_MOST;) {
        if (skip(w, (const char[]){close, '\0'})) return;
        if (open == '{' && skip(w, "\"")) {
            read_name(w, above, path);
            if (!strcmp(path, w->wanted)) w->found = w->line;
            skip(w, ":");
        }
        skip_value(w, open == '{' ? path : above, depth + 1);
        skip(w, ",");
    }
}

int field_line(const char *json, size_t bytes, const char *path)
{
    struct walk w = {.at = json, .end = json + bytes, .wanted = path, .line = 1};
    skip_value(&w, "", 0);
    return w.found;
}

void field_refuse(const char *json, size_t bytes, const char *path, const char *words, struct text *why)
{
    struct text t = {0};
    int line = field_line(json, bytes, path);
    text_printf(&t, "%s: %s", path, words);
    if (line)
        text_say(why, "line %d: %s", line, t.data);
    else
        text_puts(why, t.data);
    text_free(&t);
}
