// Writes a recorded block as JSON. The page's script reads it (report/page/recording.js), and so can any other program.
//
// The values of a warp's lanes are mostly equal, or rise by one number from lane to lane. `values` is a single value if
// all lanes have it, {"f": first, "b": by} if it rises, and else an array.
#include <inttypes.h>
#include <stdio.h>

#include "base/message.h"
#include "report/json_value.h"
#include "report/step.h"
#include "report/step_value.h"

// ---------------------------------------------------------------- values

// Returns an integer, or a string if a program that reads numbers as doubles would not read it exactly.
static json_t *exact(int64_t value)
{
    char text[32];
    if (value > -(INT64_C(1) << 53) && value < INT64_C(1) << 53) return json_integer(value);
    snprintf(text, sizeof text, "%" PRId64, value);
    return json_string(text);
}

static json_t *exact_unsigned(uint64_t value)
{
    char text[32];
    if (value < UINT64_C(1) << 53) return json_integer((json_int_t)value);
    snprintf(text, sizeof text, "%" PRIu64, value);
    return json_string(text);
}

static json_t *value_of(uint64_t bits, uint32_t kind, uint32_t bytes)
{
    switch ((enum recording_kind)kind) {
    case RECORDING_FLOAT:
        return number(step_value_float(bits, bytes));
    case RECORDING_BOOL:
        return json_boolean(bits & 0xff);
    case RECORDING_SIGNED:
    case RECORDING_CHAR:
        return exact(step_value_signed(bits, bytes));
    case RECORDING_UNSIGNED:
    case RECORDING_POINTER:
    case RECORDING_KINDS:
        return exact_unsigned(bits);
    }
    return json_null();
}

// Returns 1 if the values of the lanes rise by one number from lane to lane, as integers that are exact as doubles.
static int rises(const int64_t value[RECORDING_LANES], uint32_t mask, int64_t *by)
{
    uint32_t first = (uint32_t)__builtin_ctz(mask), rest = mask & (mask - 1);
    const int64_t most = INT64_C(1) << 52;
    *by = 0;
    if (!rest || !(rest & (rest - 1))) return 0; // two lanes are shorter as an array
    uint32_t second = (uint32_t)__builtin_ctz(rest);
    for (uint32_t left = mask; left; left &= left - 1) {
        int64_t v = value[__builtin_ctz(left)];
        if (v <= -most || v >= most) return 0;
    }
    int64_t rise = value[second] - value[first];
    if (rise % (second - first)) return 0;
    *by = rise / (second - first);
    for (uint32_t left = rest; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        if (value[l] != value[first] + *by * (l - first)) return 0;
    }
    return 1;
}

static json_t *rising(int64_t first, int64_t by)
{
    json_t *o = alloc_checked(json_object());
    put(o, "f", json_integer(first));
    put(o, "b", json_integer(by));
    return o;
}

static json_t *elements(const struct recording_event *e)
{
    uint32_t first = (uint32_t)__builtin_ctz(e->mask);
    int64_t by;
    int equal = 1;
    for (uint32_t left = e->mask; left; left &= left - 1) equal &= e->element[__builtin_ctz(left)] == e->element[first];
    if (equal) return exact(e->element[first]);
    if (rises(e->element, e->mask, &by)) return rising(e->element[first], by);
    json_t *all = alloc_checked(json_array());
    for (uint32_t left = e->mask; left; left &= left - 1) append(all, exact(e->element[__builtin_ctz(left)]));
    return all;
}

static json_t *values(const struct recording_event *e, uint32_t kind, uint32_t bytes)
{
    int64_t whole[RECORDING_LANES] = {0}, by;
    uint32_t first = (uint32_t)__builtin_ctz(e->mask);
    uint64_t start = step_value_low(e->value[first], bytes);
    int equal = !e->undefined, is_signed = kind == RECORDING_SIGNED;
    for (uint32_t left = e->mask; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        equal &= step_value_low(e->value[l], bytes) == start;
        whole[l] = is_signed ? step_value_signed(e->value[l], bytes) : (int64_t)step_value_low(e->value[l], bytes);
    }
    if (equal) return value_of(start, kind, bytes);
    if (e->undefined == e->mask) return json_null();
    int integers = kind == RECORDING_UNSIGNED || is_signed || kind == RECORDING_POINTER;
    if (!e->undefined && integers && rises(whole, e->mask, &by)) return rising(whole[first], by);
    json_t *all = alloc_checked(json_array());
    for (uint32_t left = e->mask; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        append(all, e->undefined >> l & 1 ? json_null() : value_of(step_value_low(e->value[l], bytes), kind, bytes));
    }
    return all;
}

// ---------------------------------------------------------------- events

static json_t *mask_of(uint32_t mask)
{
    return json_integer(mask == UINT32_MAX ? -1 : (json_int_t)mask);
}

// Returns an event of a step whose lanes are `lanes`.
static json_t *event(const struct recording *r, const struct recording_event *e, uint32_t lanes)
{
    static const char *const name[RECORDING_TAGS] = {
        [RECORDING_VALUE] = "v", [RECORDING_READ] = "r", [RECORDING_WRITE] = "w", [RECORDING_ATOMIC] = "a",
        [RECORDING_WAIT] = "b",  [RECORDING_PASS] = "p", [RECORDING_GO] = "g",    [RECORDING_WARP_WAIT] = "s",
        [RECORDING_SLEEP] = "z", [RECORDING_EXIT] = "x", [RECORDING_MEET] = "y"};
    const struct recording_array word = {.kind = RECORDING_UNSIGNED, .bytes = 8};
    json_t *out = alloc_checked(json_array());
    int is_access = e->tag == RECORDING_READ || e->tag == RECORDING_WRITE || e->tag == RECORDING_ATOMIC;
    append(out, json_string(name[e->tag]));
    if (is_access) append(out, json_integer(e->index == RECORDING_NO_ARRAY ? -1 : (json_int_t)e->index));
    if (e->tag == RECORDING_VALUE || e->tag == RECORDING_WAIT || e->tag == RECORDING_PASS)
        append(out, json_integer(e->index));
    if (e->tag == RECORDING_PASS) return out;
    append(out, e->mask == lanes ? json_integer(0) : mask_of(e->mask));
    if (is_access) append(out, elements(e));
    const struct recording_array *a = is_access && e->index != RECORDING_NO_ARRAY ? &r->array[e->index] : &word;
    if (is_access && e->tag != RECORDING_READ) append(out, values(e, a->kind, a->bytes));
    if (e->tag == RECORDING_VALUE) append(out, values(e, r->part[e->index].kind, r->part[e->index].bytes));
    return out;
}

static void put_steps(json_t *out, const struct recording *r)
{
    json_t *before = alloc_checked(json_array()), *steps = alloc_checked(json_array()), *events = NULL;
    struct recording_reader reader;
    uint32_t lanes = 0;
    recording_begin(&reader, r);
    while (recording_next(&reader)) {
        const struct recording_event *e = &reader.event;
        if (e->tag != RECORDING_STEP) {
            if (events) append(events, event(r, e, lanes));
            continue;
        }
        json_t *step = alloc_checked(json_array());
        events = alloc_checked(json_array());
        lanes = e->mask;
        append(step, json_integer(e->warp));
        append(step, json_integer(e->line));
        append(step, mask_of(e->mask));
        append(step, json_integer(e->function));
        append(step, events);
        append(reader.step ? steps : before, step);
    }
    put(out, "before", before);
    put(out, "steps", steps);
}

// ---------------------------------------------------------------- lists

static json_t *three(const uint32_t v[3])
{
    json_t *out = alloc_checked(json_array());
    for (int i = 0; i < 3; ++i) append(out, json_integer(v[i]));
    return out;
}

static json_t *arrays(const struct recording *r)
{
    json_t *out = alloc_checked(json_array());
    for (uint32_t i = 0; i < r->narrays; ++i) {
        const struct recording_array *a = &r->array[i];
        json_t *o = alloc_checked(json_object()), *dims = alloc_checked(json_array());
        put(o, "name", string(a->name));
        put(o, "space", json_string(a->shared ? "shared" : a->buffer < 0 ? "device" : "global"));
        put(o, "type", string(a->type));
        put(o, "bytes", json_integer(a->bytes));
        for (uint32_t d = 0; d < a->ndims; ++d) append(dims, integer(a->dim[d]));
        put(o, "dims", dims);
        put(o, "count", integer(a->count));
        put(o, "base", exact_unsigned(a->base));
        append(out, o);
    }
    return out;
}

static json_t *variables(const struct recording *r)
{
    static const char letter[RECORDING_KINDS] = {
        [RECORDING_UNSIGNED] = 'u', [RECORDING_SIGNED] = 'i', [RECORDING_FLOAT] = 'f',
        [RECORDING_BOOL] = 'b',     [RECORDING_CHAR] = 'c',   [RECORDING_POINTER] = 'p'};
    json_t *out = alloc_checked(json_array());
    for (uint32_t i = 0; i < r->nvariables; ++i) {
        const struct recording_variable *v = &r->variable[i];
        json_t *o = alloc_checked(json_object()), *parts = alloc_checked(json_array());
        struct text kinds = {0};
        for (uint32_t p = v->first; p < v->first + v->parts; ++p) {
            append(parts, string(r->part[p].path));
            text_add(&kinds, &letter[r->part[p].kind], 1);
        }
        put(o, "name", string(v->name));
        put(o, "type", string(v->type));
        put(o, "function", json_integer(v->function));
        put(o, "line", json_integer(v->line));
        put(o, "parts", parts);
        put(o, "kinds", json_string(kinds.data ? kinds.data : ""));
        append(out, o);
        text_free(&kinds);
    }
    return out;
}

// Puts the lines of the source, and what lines of headers are called.
static void put_source(json_t *out, const struct judge_job *job)
{
    json_t *lines = alloc_checked(json_array()), *names = alloc_checked(json_object());
    struct bundle bundle = judge_job_bundle(job);
    uint32_t n = 0;
    for (const char *at = job->source, *end = at + job->bytes; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        struct text line = {0};
        char shown[BUNDLE_LINE], key[16];
        utf8_clean(&line, at, (size_t)((stop ? stop : end) - at));
        append(lines, json_string(line.data ? line.data : ""));
        text_free(&line);
        snprintf(key, sizeof key, "%" PRIu32, ++n);
        bundle_line(&bundle, n, shown);
        if (strcmp(shown, key) != 0) put(names, key, string(shown));
        at = stop ? stop + 1 : end;
    }
    put(out, "source", lines);
    put(out, "names", names);
}

static json_t *other_place(const struct verdict_shown *w)
{
    if (!w->has_other) return json_null();
    json_t *o = alloc_checked(json_object());
    put(o, "step", json_integer(w->other_step));
    put(o, "line", json_integer(w->other.line));
    put(o, "thread", three(w->other.thread));
    put(o, "block", three(w->other.block));
    return o;
}

static json_t *cell(const struct verdict_shown *w)
{
    if (!w->has_cell) return json_null();
    json_t *o = alloc_checked(json_object());
    put(o, "slot", json_integer(w->slot));
    put(o, "array", json_integer(w->array));
    put(o, "element", exact(w->element));
    return o;
}

static json_t *findings(const struct verdict_step *s)
{
    json_t *out = alloc_checked(json_array());
    for (uint32_t i = 0; i < s->nshown; ++i) {
        const struct verdict_shown *w = &s->shown[i];
        struct text sentence = {0}, hint = {0};
        json_t *o = alloc_checked(json_object());
        report_finding(w->finding, &sentence);
        verdict_hint(w->finding, &hint);
        put(o, "step", json_integer(w->step));
        put(o, "kind", json_string(_(verdict_info(w->finding)->word)));
        put(o, "text", string(sentence.data ? sentence.data : ""));
        put(o, "hint", string(hint.data ? hint.data : ""));
        put(o, "line", json_integer(w->at.line));
        put(o, "thread", three(w->at.thread));
        put(o, "block", three(w->at.block));
        put(o, "other", other_place(w));
        put(o, "cell", cell(w));
        append(out, o);
        text_free(&sentence);
        text_free(&hint);
    }
    return out;
}

// ---------------------------------------------------------------- the whole

// Returns the digits with which numbers with a fraction are written: 15 identify a float, and 17 a double.
static size_t digits(const struct recording *r)
{
    for (uint32_t i = 0; i < r->nparts; ++i)
        if (r->part[i].kind == RECORDING_FLOAT && r->part[i].bytes == 8) return 17;
    for (uint32_t i = 0; i < r->narrays; ++i)
        if (r->array[i].kind == RECORDING_FLOAT && r->array[i].bytes == 8) return 17;
    return 15;
}

void report_step_json(const struct verdict_step *s, json_t *words, struct text *out)
{
    const struct recording *r = &s->recording;
    json_t *o = alloc_checked(json_object()), *blocks = alloc_checked(json_array()),
           *functions = alloc_checked(json_array());
    for (uint32_t b = 0; b < r->nblocks; ++b) append(blocks, three(r->block[b]));
    for (uint32_t i = 0; i < r->nfunctions; ++i) append(functions, string(r->function[i]));
    put(o, "recording", json_integer(1));
    put(o, "lab", string(s->job->lab->name));
    put(o, "case", string(_(s->which)));
    put(o, "kernel", string(s->kernel));
    put(o, "grid", three(s->grid));
    put(o, "block", three(s->threads));
    put(o, "blocks", blocks);
    put(o, "warps", json_integer(r->warps));
    put(o, "first", json_integer(r->first));
    put(o, "complete", json_boolean(r->complete));
    put_source(o, s->job);
    put(o, "functions", functions);
    put(o, "arrays", arrays(r));
    put(o, "variables", variables(r));
    put_steps(o, r);
    put(o, "findings", findings(s));
    if (words) put(o, "words", words);
    char *dump = alloc_checked(json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(digits(r))));
    text_puts(out, dump);
    text_puts(out, "\n");
    free(dump);
    json_decref(o);
}
