// Launches kernels whose blocks are recorded, and follows recordings, for tests of sim/record.
#ifndef TESTS_UNIT_RECORDED_H
#define TESTS_UNIT_RECORDED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine/recording.h"
#include "sim/sim.h"

enum { LANES = RECORDING_LANES, RECORDED_WORDS = 512 };

// ---------------------------------------------------------------- launches

// Opens an engine with `threads` host threads (0: the default) that has loaded the image.
static inline struct engine *recorded_engine(const struct text *image, uint32_t threads)
{
    static struct engine_image facts;
    char message[OBSERVATION_MESSAGE];
    struct engine *e = sim_engine_ops.open(&(struct engine_options){.threads = threads}, message);
    assert_non_null(e);
    if (sim_engine_ops.load(e, image->data, image->length, &facts, message)) fail_msg("%s", message);
    return e;
}

// The blocks of a launch, the threads of a block, and its bytes of dynamic shared memory.
struct recorded_shape {
    uint32_t grid, block, shared;
};

// Launches a kernel with two buffers of RECORDED_WORDS words, and records `record` blocks of it, those with the lowest
// indices.
static inline void recorded_launch(struct engine *e, const char *kernel, const struct recorded_shape *s,
                                   uint32_t record, struct observation *o)
{
    static const uint32_t zeros[RECORDED_WORDS];
    struct engine_launch l = {.grid = {s->grid, 1, 1},
                              .block = {s->block, 1, 1},
                              .shared = s->shared,
                              .nargs = 2,
                              .checks = CHECK_ALL,
                              .record = record,
                              .record_block = {{0, 0, 0}, {1, 0, 0}}};
    snprintf(l.kernel, sizeof l.kernel, "%s", kernel);
    sim_engine_ops.reset(e);
    for (int b = 0; b < 2; b++) {
        int buffer = sim_engine_ops.alloc(e, sizeof zeros, 4);
        assert_int_equal(sim_engine_ops.write(e, buffer, 0, zeros, sizeof zeros, 0), 0);
        l.arg[b] = (struct engine_arg){.kind = ARG_BUFFER, .bytes = 8, .buffer = buffer};
    }
    sim_engine_ops.launch(e, &l, o);
}

// Copies and opens the recording of the latest launch.
static inline void recorded_open(struct engine *e, struct text *bytes, struct recording *r)
{
    static char data[RECORDING_MOST];
    int64_t length = sim_engine_ops.recording(e, data, sizeof data);
    assert_true(length > 0);
    bytes->length = 0;
    text_add(bytes, data, (size_t)length);
    assert_int_equal(recording_open(r, bytes->data, bytes->length), 0);
}

// ---------------------------------------------------------------- lanes

enum recorded_lane { RUNS, WAITS_IN_WARP, SLEEPS, EXITED, AT_BARRIER }; // + number of the barrier

// Moves the lanes of an event to a state. None of them may be in the state `not`, nor have ended.
static inline void recorded_move(uint32_t *lane, const struct recording_event *e, uint32_t not, uint32_t to)
{
    for (uint32_t left = e->mask; left; left &= left - 1) {
        uint32_t *l = &lane[e->warp * LANES + (uint32_t)__builtin_ctz(left)];
        assert_true(*l != not &&*l != EXITED);
        *l = to;
    }
}

// Lets the lanes of a block go on that wait at a barrier, of which there are some.
static inline void recorded_pass(uint32_t *lane, uint32_t lanes, uint32_t barrier)
{
    uint32_t passed = 0;
    for (uint32_t i = 0; i < lanes; i++) {
        if (lane[i] != AT_BARRIER + barrier) continue;
        lane[i] = RUNS;
        passed++;
    }
    assert_true(passed);
}

// Checks that the lanes of a step exist and wait for nothing, as soon as the step has said which lanes go on, that no
// lane goes on that did not wait, and that all lanes end. The blocks have `threads` threads.
static inline void recorded_check_lanes(const struct recording *r, uint32_t threads)
{
    uint32_t *lane = calloc((size_t)r->nblocks * r->warps * LANES, sizeof *lane), active = 0, warp = 0;
    struct recording_reader reader;
    assert_non_null(lane);
    recording_begin(&reader, r);
    for (int more = 1; more;) {
        more = recording_next(&reader);
        const struct recording_event *e = &reader.event;
        int goes = e->tag == RECORDING_GO || e->tag == RECORDING_PASS;
        for (uint32_t l = 0; l < LANES && !goes && active; l++)
            assert_true(!(active >> l & 1) ||
                        (lane[warp * LANES + l] == RUNS && warp % r->warps * LANES + l < threads));
        if (!goes) active = 0;
        if (e->tag == RECORDING_STEP && reader.step) active = e->mask, warp = e->warp;
        if (e->tag == RECORDING_WAIT) recorded_move(lane, e, AT_BARRIER + e->index, AT_BARRIER + e->index);
        if (e->tag == RECORDING_WARP_WAIT) recorded_move(lane, e, WAITS_IN_WARP, WAITS_IN_WARP);
        if (e->tag == RECORDING_SLEEP) recorded_move(lane, e, SLEEPS, SLEEPS);
        if (e->tag == RECORDING_GO) recorded_move(lane, e, RUNS, RUNS);
        if (e->tag == RECORDING_EXIT) recorded_move(lane, e, EXITED, EXITED);
        if (e->tag == RECORDING_PASS)
            recorded_pass(&lane[e->warp / r->warps * r->warps * LANES], r->warps * LANES, e->index);
    }
    for (uint32_t i = 0; i < r->nblocks * r->warps * LANES; i++)
        assert_int_equal(lane[i], i % (r->warps * LANES) < threads ? EXITED : RUNS);
    free(lane);
}

// ---------------------------------------------------------------- values

// Returns the variable to which a part belongs.
static inline const struct recording_variable *recorded_variable(const struct recording *r, uint32_t part)
{
    const struct recording_variable *v = r->variable;
    while (part >= v->first + v->parts) v++;
    return v;
}

// The values of a recording up to a step.
struct recorded_values {
    const struct recording *r;
    uint64_t (*value)[LANES]; // [parts][warps]
    uint32_t *known;          // [parts][warps]: lanes with a defined value
};

static inline struct recorded_values recorded_values_new(const struct recording *r)
{
    size_t all = (size_t)r->nparts * r->warps + 1;
    struct recorded_values v = {.r = r, .value = calloc(all, sizeof *v.value), .known = calloc(all, sizeof *v.known)};
    assert_true(v.value && v.known);
    return v;
}

static inline void recorded_values_free(struct recorded_values *v)
{
    free(v->value);
    free(v->known);
}

static inline void recorded_take(struct recorded_values *v, const struct recording_event *e)
{
    size_t at = (size_t)e->index * v->r->warps + e->warp;
    v->known[at] = (v->known[at] & ~e->mask) | (e->mask & ~e->undefined);
    for (uint32_t l = 0; l < LANES; l++)
        if (e->mask & ~e->undefined & 1u << l) v->value[at][l] = e->value[l];
}

#endif
