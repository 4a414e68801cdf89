// The reader of recordings (engine/recording.h). A recording that was written reads back equal. Of hostile bytes, the
// reader either refuses the whole, or all numbers that it returns lie within the lists of the head.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "engine/recording.h"

#define ALL 0xffffffffu
enum { FEWER = 4096, EVENTS = 64 };

// ---------------------------------------------------------------- a recording with everything in it

static struct recording_array arrays[] = {
    {.name = "tile",
     .type = "float",
     .shared = 1,
     .kind = RECORDING_FLOAT,
     .bytes = 4,
     .buffer = -1,
     .ndims = 2,
     .dim = {32, 33},
     .count = 1056,
     .base = 0x7f0000000000},
    {.name = "", .type = "", .kind = RECORDING_UNSIGNED, .bytes = 8, .buffer = 0, .ndims = 1, .dim = {0}},
    {.name = "in",
     .type = "char",
     .kind = RECORDING_CHAR,
     .bytes = 1,
     .buffer = 31,
     .ndims = RECORDING_DIMS,
     .dim = {1, 2, 3, INT64_MAX},
     .count = INT64_MAX,
     .base = UINT64_MAX},
};
static char functions[][RECORDING_NAME] = {"scan_blocks", "warp_sum"};
static struct recording_variable variables[] = {
    {.name = "acc", .type = "float [3]", .function = 0, .line = 10, .first = 0, .parts = 3},
    {.name = "none", .type = "", .function = 1, .line = 0, .first = 3, .parts = 0},
    {.name = "p", .type = "int *", .function = 1, .line = INT32_MAX, .first = 3, .parts = 1},
    {.name = "both", .type = "pair", .function = 1, .line = 12, .first = 4, .parts = 2},
};
static struct recording_part parts[] = {
    {"[0]", RECORDING_FLOAT, 4}, {"[1]", RECORDING_FLOAT, 4}, {"[2]", RECORDING_FLOAT, 4},
    {"", RECORDING_POINTER, 8},  {".x", RECORDING_SIGNED, 2}, {".y", RECORDING_BOOL, 1},
};

// Two steps before the first one, whose number is 41, and five steps from there.
static const struct recording whole = {.nblocks = 2,
                                       .warps = 3,
                                       .block = {{0, 1, 2}, {UINT32_MAX, 0, 7}},
                                       .first = 41,
                                       .steps = 45,
                                       .before = 2,
                                       .complete = 1,
                                       .narrays = 3,
                                       .nfunctions = 2,
                                       .nvariables = 4,
                                       .nparts = 6,
                                       .array = arrays,
                                       .function = functions,
                                       .variable = variables,
                                       .part = parts};

static struct recording_event event[EVENTS];
static uint32_t events, expected_step[EVENTS];

// Adds an event of the latest step, which has the number `step`.
static struct recording_event *add(uint32_t tag, uint32_t step, uint32_t index, uint32_t mask)
{
    assert_true(events < EVENTS);
    struct recording_event *e = &event[events];
    *e = (struct recording_event){.tag = tag, .index = index, .mask = mask};
    if (events) e->warp = e[-1].warp, e->line = e[-1].line, e->function = e[-1].function;
    expected_step[events++] = step;
    return e;
}

static void add_step(uint32_t step, uint32_t warp, uint32_t line, uint32_t function, uint32_t mask)
{
    struct recording_event *e = add(RECORDING_STEP, step, 0, mask);
    e->warp = warp;
    e->line = line;
    e->function = function;
}

// The forms that a list of numbers can have: equal, rising and falling numbers, numbers that wrap, one lane, lanes with
// gaps, the least and the greatest number, and others.
static uint64_t number(uint32_t form, uint32_t lane)
{
    const uint64_t wild = (lane + 1) * 0x9e3779b97f4a7c15u;
    const uint64_t of[] = {7, 100 + 4 * lane, 100 - 9 * lane, UINT64_MAX - 3 + lane, (uint64_t)INT64_MIN, wild};
    return of[form % (sizeof of / sizeof *of)];
}

static void fill(struct recording_event *e, uint32_t form, uint32_t undefined)
{
    e->undefined = undefined & e->mask;
    for (uint32_t l = 0; l < RECORDING_LANES; l++) {
        if (e->mask >> l & 1) e->element[l] = (int64_t)number(form + 2, l);
        if (e->mask & ~undefined & 1u << l) e->value[l] = number(form, l);
    }
}

static int make_events(void **state)
{
    (void)state;
    static const uint32_t masks[] = {ALL, 1, 1u << 31, 0x00ff00f0, 0xaaaaaaaa, 0x80000001};
    events = 0;
    add_step(0, 0, 0, 0, ALL);
    fill(add(RECORDING_WRITE, 0, 0, ALL), 1, 0);
    add_step(0, 5, 9, 1, 1);
    add(RECORDING_WAIT, 0, 15, 1);
    add_step(41, 4, INT32_MAX, 1, 0xffff);
    for (uint32_t i = 0; i < 6; i++) fill(add(RECORDING_VALUE, 41, i, masks[i]), i, i % 2 ? 0 : 0x11);
    fill(add(RECORDING_VALUE, 41, 0, 0xf0), 0, 0xf0); // no lane has a value
    add_step(42, 0, 1, 0, ALL);
    for (uint32_t i = 0; i < 6; i++) {
        fill(add(RECORDING_READ, 42, i % 3, masks[i]), i, 0);
        fill(add(RECORDING_WRITE, 42, RECORDING_NO_ARRAY, masks[i]), i + 1, masks[i] & 0x10);
        fill(add(RECORDING_ATOMIC, 42, i % 3, masks[i]), i + 2, 0);
    }
    fill(add(RECORDING_READ, 42, RECORDING_NO_ARRAY, ALL), 3, 0);
    add(RECORDING_WAIT, 42, 0, ALL);
    add_step(43, 1, 2, 0, 3);
    add(RECORDING_PASS, 43, 0, 3);
    add(RECORDING_PASS, 43, 15, 3);
    add(RECORDING_WARP_WAIT, 43, 0, 1);
    add(RECORDING_SLEEP, 43, 0, 2);
    add(RECORDING_GO, 43, 0, 3);
    add_step(44, 1, 2, 0, 3);
    add_step(45, 1, 2, 0, 3);
    add(RECORDING_EXIT, 45, 0, 3);
    return 0;
}

static struct text written(const struct recording *head)
{
    struct text out = {0};
    recording_put_head(&out, head);
    for (uint32_t i = 0; i < events; i++) recording_put(&out, &event[i]);
    recording_put(&out, &(struct recording_event){.tag = RECORDING_END});
    return out;
}

// ---------------------------------------------------------------- what was written

static void same_head(const struct recording *r)
{
    assert_int_equal(r->nblocks, whole.nblocks);
    assert_int_equal(r->warps, whole.warps);
    assert_memory_equal(r->block, whole.block, sizeof r->block);
    assert_int_equal(r->first, whole.first);
    assert_int_equal(r->steps, whole.steps);
    assert_int_equal(r->before, whole.before);
    assert_int_equal(r->complete, whole.complete);
    assert_int_equal(r->narrays, whole.narrays);
    assert_int_equal(r->nfunctions, whole.nfunctions);
    assert_int_equal(r->nvariables, whole.nvariables);
    assert_int_equal(r->nparts, whole.nparts);
    for (uint32_t i = 0; i < r->narrays; i++) {
        const struct recording_array *a = &r->array[i], *b = &arrays[i];
        assert_string_equal(a->name, b->name);
        assert_string_equal(a->type, b->type);
        assert_int_equal(a->shared, b->shared);
        assert_int_equal(a->kind, b->kind);
        assert_int_equal(a->bytes, b->bytes);
        assert_int_equal(a->buffer, b->buffer);
        assert_int_equal(a->ndims, b->ndims);
        assert_memory_equal(a->dim, b->dim, sizeof a->dim);
        assert_int_equal(a->count, b->count);
        assert_int_equal(a->base, b->base);
    }
    assert_memory_equal(r->function, functions, sizeof functions);
    for (uint32_t i = 0; i < r->nvariables; i++) {
        const struct recording_variable *a = &r->variable[i], *b = &variables[i];
        assert_string_equal(a->name, b->name);
        assert_string_equal(a->type, b->type);
        assert_int_equal(a->function, b->function);
        assert_int_equal(a->line, b->line);
        assert_int_equal(a->first, b->first);
        assert_int_equal(a->parts, b->parts);
    }
    assert_memory_equal(r->part, parts, sizeof parts);
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

static void same_event(const struct recording_event *a, const struct recording_event *b)
{
    assert_int_equal(a->tag, b->tag);
    assert_int_equal(a->warp, b->warp);
    assert_int_equal(a->line, b->line);
    assert_int_equal(a->function, b->function);
    if (has_index(b->tag)) assert_int_equal(a->index, b->index);
    if (b->tag != RECORDING_PASS) assert_int_equal(a->mask, b->mask);
    if (has_values(b->tag)) assert_int_equal(a->undefined, b->undefined);
    for (uint32_t l = 0; l < RECORDING_LANES; l++) {
        if (!(b->mask >> l & 1)) continue;
        if (has_elements(b->tag)) assert_int_equal(a->element[l], b->element[l]);
        if (has_values(b->tag) && !(b->undefined >> l & 1)) assert_int_equal(a->value[l], b->value[l]);
    }
}

static void what_was_written_reads_back_equal(void **state)
{
    (void)state;
    struct text bytes = written(&whole);
    struct recording r;
    assert_int_equal(recording_open(&r, bytes.data, bytes.length), 0);
    same_head(&r);
    struct recording_reader reader;
    for (int again = 0; again < 2; again++) {
        recording_begin(&reader, &r);
        for (uint32_t i = 0; i < events; i++) {
            assert_int_equal(recording_next(&reader), 1);
            assert_int_equal(reader.step, expected_step[i]);
            same_event(&reader.event, &event[i]);
        }
        assert_int_equal(recording_next(&reader), 0);
        assert_int_equal(reader.event.tag, RECORDING_END);
        assert_int_equal(recording_next(&reader), 0);
    }
    recording_close(&r);
    text_free(&bytes);
}

// A kernel of which no thread is recorded: no lists and no events.
static void a_recording_may_be_empty(void **state)
{
    (void)state;
    struct text bytes = {0};
    struct recording r;
    recording_put_head(&bytes, &(struct recording){.nblocks = 1, .warps = 32, .first = 1});
    recording_put(&bytes, &(struct recording_event){.tag = RECORDING_END});
    assert_int_equal(recording_open(&r, bytes.data, bytes.length), 0);
    struct recording_reader reader;
    recording_begin(&reader, &r);
    assert_int_equal(recording_next(&reader), 0);
    recording_close(&r);
    text_free(&bytes);
}

// ---------------------------------------------------------------- hostile bytes

static int is_scalar(uint32_t kind, uint32_t bytes)
{
    return kind < RECORDING_KINDS && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
}

static void check_lists(const struct recording *r)
{
    uint32_t first = 0;
    assert_in_range(r->nblocks, 1, RECORDING_BLOCKS);
    assert_in_range(r->warps, 1, 32);
    for (uint32_t i = 0; i < r->narrays; i++) {
        const struct recording_array *a = &r->array[i];
        assert_true(is_scalar(a->kind, a->bytes) && a->shared <= 1 && a->buffer >= -1);
        assert_in_range(a->ndims, 1, RECORDING_DIMS);
        assert_true(memchr(a->name, 0, sizeof a->name) && memchr(a->type, 0, sizeof a->type));
    }
    for (uint32_t i = 0; i < r->nfunctions; i++) assert_non_null(memchr(r->function[i], 0, RECORDING_NAME));
    for (uint32_t i = 0; i < r->nvariables; i++) {
        const struct recording_variable *v = &r->variable[i];
        assert_true(v->function < r->nfunctions);
        assert_int_equal(v->first, first);
        assert_true(memchr(v->name, 0, sizeof v->name) && memchr(v->type, 0, sizeof v->type));
        first += v->parts;
    }
    assert_int_equal(first, r->nparts);
    for (uint32_t i = 0; i < r->nparts; i++) {
        assert_true(is_scalar(r->part[i].kind, r->part[i].bytes));
        assert_non_null(memchr(r->part[i].path, 0, RECORDING_NAME));
    }
}

static void check_event(const struct recording *r, const struct recording_event *e)
{
    assert_in_range(e->tag, RECORDING_STEP, RECORDING_TAGS - 1);
    assert_true(e->warp < r->nblocks * r->warps);
    assert_true(e->function < r->nfunctions);
    assert_true(e->line <= INT32_MAX);
    assert_true(e->mask);
    if (has_elements(e->tag)) assert_true(e->index < r->narrays || e->index == RECORDING_NO_ARRAY);
    if (e->tag == RECORDING_VALUE) assert_true(e->index < r->nparts);
    if (e->tag == RECORDING_WAIT || e->tag == RECORDING_PASS) assert_true(e->index < 16);
    if (has_values(e->tag)) assert_int_equal(e->undefined & ~e->mask, 0);
}

// Opens a copy of the bytes that ends where its memory ends, so that a sanitizer sees a read behind it, and reads all
// events. Returns 1 if it is a recording.
static int try(const char *bytes, size_t length)
{
    struct recording r;
    char *exact = malloc(length ? length : 1);
    assert_non_null(exact);
    memcpy(exact, bytes, length);
    int opens = !recording_open(&r, exact, length);
    if (opens) {
        struct recording_reader reader;
        uint32_t last = 0;
        check_lists(&r);
        recording_begin(&reader, &r);
        while (recording_next(&reader)) {
            check_event(&r, &reader.event);
            assert_true(reader.step == last || reader.step == (last ? last + 1 : r.first));
            last = reader.step;
        }
        assert_int_equal(reader.event.tag, RECORDING_END);
        assert_int_equal(last, r.steps >= r.first ? r.steps : 0);
    }
    recording_close(&r);
    free(exact);
    return opens;
}

static void each_truncation_is_refused(void **state)
{
    (void)state;
    struct text bytes = written(&whole);
    assert_int_equal(try(bytes.data, bytes.length), 1);
    for (size_t length = 0; length < bytes.length; length++) assert_int_equal(try(bytes.data, length), 0);
    text_add(&bytes, "", 1); // a byte too many
    assert_int_equal(try(bytes.data, bytes.length), 0);
    text_free(&bytes);
}

static void each_byte_may_be_wrong(void **state)
{
    (void)state;
    struct text bytes = written(&whole);
    uint32_t opened = 0;
    for (size_t i = 0; i < bytes.length; i++) {
        char was = bytes.data[i];
        for (int change = 1; change < 256; change++) {
            bytes.data[i] = (char)(was ^ change);
            opened += (uint32_t)try(bytes.data, bytes.length);
        }
        bytes.data[i] = was;
    }
    assert_true(opened); // a name or a value may be any
    text_free(&bytes);
}

// Returns 1 if a recording with this head, and the events above, opens.
static int opens_with(const struct recording *head)
{
    struct text bytes = written(head);
    int opens = try(bytes.data, bytes.length);
    text_free(&bytes);
    return opens;
}

static int opens_with_field(size_t at, uint32_t value)
{
    struct recording head = whole;
    memcpy((char *)&head + at, &value, sizeof value);
    return opens_with(&head);
}
#define WITH(field, value) opens_with_field(offsetof(struct recording, field), value)

static void numbers_of_the_head_are_checked(void **state)
{
    (void)state;
    assert_int_equal(WITH(complete, 0), 1);
    assert_int_equal(WITH(complete, 2), 0);
    assert_int_equal(WITH(nblocks, 0), 0);
    assert_int_equal(WITH(nblocks, 1), 0); // there are steps of the second block
    assert_int_equal(WITH(warps, 0), 0);
    assert_int_equal(WITH(warps, 2), 0); // there are steps of warp 5
    assert_int_equal(WITH(warps, 32), 1);
    assert_int_equal(WITH(warps, 33), 0);
    assert_int_equal(WITH(steps, 44), 0);
    assert_int_equal(WITH(steps, 46), 0);
    assert_int_equal(WITH(before, 1), 0);
    assert_int_equal(WITH(before, UINT32_MAX), 0);
    assert_int_equal(WITH(first, 40), 0);
    assert_int_equal(WITH(first, UINT32_MAX), 0);
    struct recording head = whole;
    head.first = 0; // step 0 stands for the time before the recording
    head.steps = 4;
    assert_int_equal(opens_with(&head), 0);
    head.first = 1;
    head.steps = 5;
    assert_int_equal(opens_with(&head), 1);
    head.before = 7; // all steps make the state before the first
    head.first = 9;
    head.steps = 8;
    assert_int_equal(opens_with(&head), 1);
}

// Returns 1 if a recording opens that has only this event, in a step.
static int opens_with_event(const struct recording *head, const struct recording_event *e, int step)
{
    struct text bytes = {0};
    recording_put_head(&bytes, head);
    if (step) recording_put(&bytes, &(struct recording_event){.tag = RECORDING_STEP, .mask = ALL});
    recording_put(&bytes, e);
    recording_put(&bytes, &(struct recording_event){.tag = RECORDING_END});
    int opens = try(bytes.data, bytes.length);
    text_free(&bytes);
    return opens;
}

static void an_event_stays_within_the_lists(void **state)
{
    (void)state;
    static const struct {
        uint32_t tag, most; // the greatest index
    } row[] = {{RECORDING_VALUE, 5},  {RECORDING_READ, 2},  {RECORDING_WRITE, 2},
               {RECORDING_ATOMIC, 2}, {RECORDING_WAIT, 15}, {RECORDING_PASS, 15}};
    struct recording head = whole, bare = {.nblocks = 1, .warps = 1, .first = 1, .steps = 1};
    head.before = 0;
    head.first = head.steps = 1;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct recording_event e = {.tag = row[i].tag, .index = row[i].most, .mask = ALL};
        assert_int_equal(opens_with_event(&head, &e, 1), 1);
        assert_int_equal(opens_with_event(&head, &e, 0), 0); // an event belongs to a step
        e.index = row[i].most + 1;
        assert_int_equal(opens_with_event(&head, &e, 1), 0);
        e.index = RECORDING_NO_ARRAY;
        assert_int_equal(opens_with_event(&head, &e, 1), has_elements(e.tag));
    }
    struct recording_event exit = {.tag = RECORDING_EXIT, .mask = 1};
    assert_int_equal(opens_with_event(&head, &exit, 1), 1);
    exit.mask = 0;
    assert_int_equal(opens_with_event(&head, &exit, 1), 0);
    assert_int_equal(opens_with_event(&head, &(struct recording_event){.tag = RECORDING_TAGS, .mask = 1}, 1), 0);
    assert_int_equal(opens_with_event(&bare, &(struct recording_event){.tag = RECORDING_GO, .mask = 1}, 1),
                     0); // there is no function
}

// Lists that are longer than the head promises, and a recording that is valid but too long.
static void what_is_too_large_is_refused(void **state)
{
    (void)state;
    assert_int_equal(WITH(narrays, 2), 0);
    assert_int_equal(WITH(nvariables, 3), 0);
    for (int more = 0; more < 2; more++) {
        const struct recording_event step = {.tag = RECORDING_STEP, .mask = ALL};
        struct text one = {0}, bytes = {0};
        struct recording head = whole;
        recording_put(&one, &step);
        head.before = 0;
        head.first = 1;
        head.steps = RECORDING_MOST / (uint32_t)one.length - (more ? 0 : FEWER);
        recording_put_head(&bytes, &head);
        for (uint32_t i = 0; i < head.steps; i++) recording_put(&bytes, &step);
        recording_put(&bytes, &(struct recording_event){.tag = RECORDING_END});
        assert_int_equal(bytes.length > RECORDING_MOST, more);
        assert_int_equal(try(bytes.data, bytes.length), !more);
        text_free(&one);
        text_free(&bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_reads_back_equal), cmocka_unit_test(a_recording_may_be_empty),
        cmocka_unit_test(each_truncation_is_refused),        cmocka_unit_test(each_byte_may_be_wrong),
        cmocka_unit_test(numbers_of_the_head_are_checked),   cmocka_unit_test(an_event_stays_within_the_lists),
        cmocka_unit_test(what_is_too_large_is_refused),
    };
    return cmocka_run_group_tests(tests, make_events, NULL);
}
