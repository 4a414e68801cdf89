// Writes and reads recordings (recording.h).
//
// The lanes of a warp mostly have values that are equal, or that rise by one number from lane to lane. A list of values
// is stored as one number, as a first number and a difference, or as all numbers.
#include "engine/recording.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

enum list_form { LIST_EQUAL, LIST_RISING, LIST_ALL };

// ---------------------------------------------------------------- writing

static void put(struct text *out, uint64_t value)
{
    char byte[10];
    size_t n = 0;
    do {
        byte[n++] = (char)((value & 127) | (value > 127 ? 128 : 0));
        value >>= 7;
    } while (value);
    text_add(out, byte, n);
}

static uint64_t zigzag(uint64_t value)
{
    return value << 1 ^ -(value >> 63);
}

static void put_name(struct text *out, const char name[RECORDING_NAME])
{
    size_t length = strlen(name);
    put(out, length);
    text_add(out, name, length);
}

// Appends the numbers of the lanes in `mask`.
static void put_list(struct text *out, const uint64_t value[RECORDING_LANES], uint32_t mask)
{
    uint32_t first = (uint32_t)__builtin_ctz(mask), rest = mask & (mask - 1);
    uint32_t second = rest ? (uint32_t)__builtin_ctz(rest) : first;
    uint64_t by = second - first == 1 ? value[second] - value[first] : 0;
    int equal = 1, rising = 1;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        equal &= value[l] == value[first];
        rising &= value[l] == value[first] + by * (l - first);
    }
    put(out, equal ? LIST_EQUAL : rising ? LIST_RISING : LIST_ALL);
    if (equal || rising) put(out, zigzag(value[first]));
    if (!equal && rising) put(out, zigzag(by));
    for (uint32_t left = equal || rising ? 0 : mask; left; left &= left - 1)
        put(out, zigzag(value[__builtin_ctz(left)]));
}

void recording_put_head(struct text *out, const struct recording *r)
{
    const uint64_t number[] = {r->nblocks,  r->warps,   r->first,      r->steps,      r->before,
                               r->complete, r->narrays, r->nfunctions, r->nvariables, r->nparts};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) put(out, number[i]);
    for (uint32_t b = 0; b < r->nblocks; b++)
        for (int i = 0; i < 3; i++) put(out, r->block[b][i]);
    for (uint32_t i = 0; i < r->narrays; i++) {
        const struct recording_array *a = &r->array[i];
        put_name(out, a->name);
        put_name(out, a->type);
        const uint64_t field[] = {a->shared, a->kind, a->bytes, (uint64_t)(a->buffer + 1), a->ndims, a->count, a->base};
        for (size_t k = 0; k < sizeof field / sizeof *field; k++) put(out, field[k]);
        for (uint32_t k = 0; k < a->ndims; k++) put(out, a->dim[k]);
    }
    for (uint32_t i = 0; i < r->nfunctions; i++) put_name(out, r->function[i]);
    for (uint32_t i = 0; i < r->nvariables; i++) {
        put_name(out, r->variable[i].name);
        put_name(out, r->variable[i].type);
        put(out, r->variable[i].function);
        put(out, r->variable[i].line);
        put(out, r->variable[i].parts);
    }
    for (uint32_t i = 0; i < r->nparts; i++) {
        put_name(out, r->part[i].path);
        put(out, r->part[i].kind);
        put(out, r->part[i].bytes);
    }
}

static int has_elements(uint32_t tag)
{
    return tag == RECORDING_READ || tag == RECORDING_WRITE || tag == RECORDING_ATOMIC;
}

static int has_values(uint32_t tag)
{
    return tag == RECORDING_VALUE || tag == RECORDING_WRITE || tag == RECORDING_ATOMIC;
}

static int has_index(uint32_t tag)
{
    return has_elements(tag) || tag == RECORDING_VALUE || tag == RECORDING_WAIT || tag == RECORDING_PASS;
}

void recording_put(struct text *out, const struct recording_event *e)
{
    put(out, e->tag);
    if (has_index(e->tag)) put(out, e->index == RECORDING_NO_ARRAY ? 0 : (uint64_t)e->index + 1);
    if (e->tag == RECORDING_STEP) {
        put(out, e->warp);
        put(out, e->line);
        put(out, e->function);
    }
    if (e->tag == RECORDING_PASS || e->tag == RECORDING_END) return;
    put(out, (uint32_t)~e->mask); // mostly all lanes
    if (has_elements(e->tag)) put_list(out, (const uint64_t *)e->element, e->mask);
    if (!has_values(e->tag)) return;
    put(out, e->undefined & e->mask);
    if (e->mask & ~e->undefined) put_list(out, e->value, e->mask & ~e->undefined);
}

// ---------------------------------------------------------------- reading

struct source {
    const uint8_t *at, *end;
    int bad;
};

static uint64_t get(struct source *s)
{
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 70 && s->at < s->end; shift += 7) {
        uint8_t byte = *s->at++;
        if (shift < 64) value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return value;
    }
    s->bad = 1;
    return 0;
}

// Reads a number that must be at most `most`.
static uint64_t get_most(struct source *s, uint64_t most)
{
    uint64_t value = get(s);
    if (value <= most) return value;
    s->bad = 1;
    return 0;
}

static uint64_t get_signed(struct source *s)
{
    uint64_t value = get(s);
    return value >> 1 ^ -(value & 1);
}

static void get_name(struct source *s, char name[RECORDING_NAME])
{
    size_t length = (size_t)get_most(s, RECORDING_NAME - 1);
    if (s->bad || length > (size_t)(s->end - s->at) || memchr(s->at, 0, length)) {
        s->bad = 1;
        return;
    }
    memcpy(name, s->at, length);
    s->at += length;
}

static void get_list(struct source *s, uint64_t value[RECORDING_LANES], uint32_t mask)
{
    uint64_t form = get_most(s, LIST_ALL), first = form == LIST_ALL ? 0 : get_signed(s);
    uint64_t by = form == LIST_RISING ? get_signed(s) : 0;
    for (uint32_t left = mask, start = mask ? (uint32_t)__builtin_ctz(mask) : 0; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        value[l] = form == LIST_ALL ? get_signed(s) : first + by * (l - start);
    }
}

static int is_scalar(uint64_t kind, uint64_t bytes)
{
    return kind < RECORDING_KINDS && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
}

static void get_array(struct source *s, struct recording_array *a)
{
    get_name(s, a->name);
    get_name(s, a->type);
    a->shared = (uint8_t)get_most(s, 1);
    a->kind = (uint8_t)get_most(s, RECORDING_KINDS - 1);
    a->bytes = (uint8_t)get_most(s, 8);
    a->buffer = (int32_t)get_most(s, INT32_MAX) - 1;
    a->ndims = (uint32_t)get_most(s, RECORDING_DIMS);
    a->count = get_most(s, INT64_MAX);
    a->base = get(s);
    for (uint32_t k = 0; k < a->ndims; k++) a->dim[k] = get_most(s, INT64_MAX);
    s->bad |= !is_scalar(a->kind, a->bytes) || !a->ndims;
}

static void get_lists(struct source *s, struct recording *r)
{
    uint32_t parts = 0;
    for (uint32_t i = 0; i < r->narrays && !s->bad; i++) get_array(s, &r->array[i]);
    for (uint32_t i = 0; i < r->nfunctions && !s->bad; i++) get_name(s, r->function[i]);
    for (uint32_t i = 0; i < r->nvariables && !s->bad; i++) {
        struct recording_variable *v = &r->variable[i];
        get_name(s, v->name);
        get_name(s, v->type);
        v->function = (uint32_t)get_most(s, r->nfunctions ? r->nfunctions - 1 : 0);
        v->line = (uint32_t)get_most(s, INT32_MAX);
        v->first = parts;
        v->parts = (uint32_t)get_most(s, r->nparts - parts);
        parts += v->parts;
    }
    s->bad |= parts != r->nparts || (r->nvariables && !r->nfunctions);
    for (uint32_t i = 0; i < r->nparts && !s->bad; i++) {
        get_name(s, r->part[i].path);
        r->part[i].kind = (uint8_t)get_most(s, RECORDING_KINDS - 1);
        r->part[i].bytes = (uint8_t)get_most(s, 8);
        s->bad |= !is_scalar(r->part[i].kind, r->part[i].bytes);
    }
}

// Reads an event into *e, whose fields `warp`, `line` and `function` keep the values of the latest step.
static void get_event(struct source *s, const struct recording *r, struct recording_event *e)
{
    e->tag = (uint32_t)get_most(s, RECORDING_TAGS - 1);
    uint32_t most = has_elements(e->tag) ? r->narrays : e->tag == RECORDING_VALUE ? r->nparts : 16;
    e->index = has_index(e->tag) ? (uint32_t)get_most(s, most) - 1 : 0;
    if (has_index(e->tag) && !has_elements(e->tag)) s->bad |= e->index == RECORDING_NO_ARRAY;
    if (e->tag == RECORDING_STEP) {
        e->warp = (uint32_t)get_most(s, (uint64_t)r->nblocks * r->warps - 1);
        e->line = (uint32_t)get_most(s, INT32_MAX);
        e->function = (uint32_t)get_most(s, (uint64_t)r->nfunctions - 1);
        s->bad |= !r->nfunctions;
    }
    if (e->tag == RECORDING_PASS || e->tag == RECORDING_END) return;
    e->mask = ~(uint32_t)get_most(s, UINT32_MAX);
    s->bad |= !e->mask;
    if (has_elements(e->tag)) get_list(s, (uint64_t *)e->element, e->mask);
    if (!has_values(e->tag)) return;
    e->undefined = (uint32_t)get_most(s, UINT32_MAX);
    s->bad |= e->undefined & ~e->mask ? 1 : 0;
    if (e->mask & ~e->undefined) get_list(s, e->value, e->mask & ~e->undefined);
}

// Returns 0 if the events of the recording are valid, up to an END with which the bytes end.
static int check_events(const struct recording *r)
{
    struct source s = {r->events, r->end, 0};
    struct recording_event e = {0};
    uint64_t steps = 0;
    do {
        get_event(&s, r, &e);
        steps += e.tag == RECORDING_STEP;
        s.bad |= !steps && e.tag != RECORDING_END; // an event without a step
    } while (!s.bad && e.tag != RECORDING_END);
    return s.bad || s.at != s.end || steps + r->first != (uint64_t)r->before + r->steps + 1 ? -1 : 0;
}

int recording_open(struct recording *r, const void *bytes, size_t length)
{
    struct source s = {bytes, (const uint8_t *)bytes + length, 0};
    *r = (struct recording){0};
    r->nblocks = (uint32_t)get_most(&s, RECORDING_BLOCKS);
    r->warps = (uint32_t)get_most(&s, 32);
    r->first = (uint32_t)get_most(&s, INT32_MAX);
    r->steps = (uint32_t)get_most(&s, INT32_MAX);
    r->before = (uint32_t)get_most(&s, INT32_MAX);
    r->complete = (uint32_t)get_most(&s, 1);
    r->narrays = (uint32_t)get_most(&s, RECORDING_ARRAYS);
    r->nfunctions = (uint32_t)get_most(&s, RECORDING_FUNCTIONS);
    r->nvariables = (uint32_t)get_most(&s, RECORDING_VARIABLES);
    r->nparts = (uint32_t)get_most(&s, RECORDING_PARTS);
    if (s.bad || length > RECORDING_MOST || !r->nblocks || !r->warps || !r->first) return -1;
    for (uint32_t b = 0; b < r->nblocks; b++)
        for (int i = 0; i < 3; i++) r->block[b][i] = (uint32_t)get_most(&s, UINT32_MAX);
    r->array = alloc_zeroed(r->narrays + 1, sizeof *r->array);
    r->function = alloc_zeroed(r->nfunctions + 1, sizeof *r->function);
    r->variable = alloc_zeroed(r->nvariables + 1, sizeof *r->variable);
    r->part = alloc_zeroed(r->nparts + 1, sizeof *r->part);
    get_lists(&s, r);
    r->events = s.at;
    r->end = s.end;
    return s.bad ? -1 : check_events(r);
}

void recording_close(struct recording *r)
{
    free(r->array);
    free(r->function);
    free(r->variable);
    free(r->part);
    *r = (struct recording){0};
}

void recording_begin(struct recording_reader *reader, const struct recording *r)
{
    *reader = (struct recording_reader){.recording = r, .at = r->events};
}

int recording_next(struct recording_reader *reader)
{
    const struct recording *r = reader->recording;
    struct source s = {reader->at, r->end, 0};
    if (s.at >= s.end) return 0;
    get_event(&s, r, &reader->event);
    reader->at = s.at;
    reader->read += reader->event.tag == RECORDING_STEP;
    reader->step = reader->read > r->before ? r->first + (reader->read - r->before) - 1 : 0;
    return reader->event.tag != RECORDING_END;
}
