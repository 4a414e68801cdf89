// Makes and writes JSON values for the files of grader/report, grader/batch and grader/cli. If memory runs out, the
// functions of json_value.h end the program (base/alloc.h).
#ifndef REPORT_JSON_VALUE_H
#define REPORT_JSON_VALUE_H

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "engine/observation.h"
#include "report/utf8.h"

static inline void put(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, alloc_checked(value))) alloc_failed(0);
}

static inline void append(json_t *array, json_t *value)
{
    if (json_array_append_new(array, alloc_checked(value))) alloc_failed(0);
}

// Returns a JSON string. The function string() first makes the text clean UTF-8 (base/utf8.h).
static inline json_t *string(const char *text)
{
    struct text clean = {0};
    utf8_clean(&clean, text, strlen(text));
    json_t *value = json_string(clean.data ? clean.data : "");
    text_free(&clean);
    return value;
}

// Returns a JSON number, or a JSON string for NaN and infinity, because JSON has no numbers for NaN and infinity.
static inline json_t *number(double value)
{
    if (isnan(value)) return json_string("nan");
    if (isinf(value)) return json_string(value > 0 ? "inf" : "-inf");
    return value == floor(value) && fabs(value) < 0x1p53 ? json_integer((json_int_t)value) : json_real(value);
}

static inline json_t *integer(uint64_t value)
{
    return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

// Appends a JSON value as text with a line feed, and frees the JSON value. `flags` are the format flags of the library
// jansson.
static inline void write_json(json_t *value, size_t flags, struct text *out)
{
    char *text = alloc_checked(json_dumps(value, flags));
    text_puts(out, text);
    text_puts(out, "\n");
    free(text);
    json_decref(value);
}

static inline json_t *counters(const struct counters *c)
{
    json_t *object = json_object();
    for (int i = 0; i < counter_count; ++i) {
        uint64_t value;
        memcpy(&value, (const char *)c + counter_info[i].offset, sizeof value);
        put(object, counter_info[i].name, integer(value));
    }
    return object;
}

#endif
