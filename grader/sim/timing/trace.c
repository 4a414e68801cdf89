// Records the ops that warps execute; trace.h states the contracts.
#include "sim/timing/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/prng.h"

// RESIDENT_OPS is the maximum number of ops that are recorded for the resident warps of one multiprocessor together. At
// least LEAST_OPS ops may be recorded for each warp, however many warps are resident.
enum { RESIDENT_OPS = 1 << 17, LEAST_OPS = 4096 };

uint64_t trace_choose(const struct sim_launch *launch, const char *purpose, uint64_t at, uint64_t count)
{
    struct prng random = prng_stream(launch->request->sample_key + at, purpose);
    return (uint64_t)((unsigned __int128)prng_u64(&random) * count >> 64);
}

static void begin_slice(struct trace_warp *, uint64_t number);

static void slot_begin(struct trace_slot *s, const struct sim_launch *launch, uint64_t block, uint64_t limit)
{
    if (!s->warp) s->warp = alloc_zeroed(launch->warps, sizeof *s->warp);
    s->block = block;
    s->key = trace_choose(launch, "slices", block, UINT64_MAX);
    s->stride = 1;
    s->phase = 0;
    s->limit = limit;
    s->warps = launch->warps;
    s->has_barrier = 0;
    for (uint32_t k = 0; k < s->warps; k++) {
        struct trace_warp *w = &s->warp[k];
        w->count = w->loads = w->slices = w->serial = 0;
        w->all = w->kept = 0;
        w->slot = s;
        begin_slice(w, 0);
    }
}

void trace_begin(struct trace *t, const struct sim_launch *launch, const uint64_t block[TRACE_SLOTS])
{
    uint64_t limit = RESIDENT_OPS / (launch->warps * (launch->blocks_per_sm ? launch->blocks_per_sm : 1));
    if (limit < LEAST_OPS) limit = LEAST_OPS;
    t->warps = launch->warps;
    for (int k = 0; k < TRACE_SLOTS; k++) slot_begin(&t->slot[k], launch, block[k], limit);
}

static void slot_free(struct trace_slot *s)
{
    for (uint32_t k = 0; s->warp && k < s->warps; k++) free(s->warp[k].run), free(s->warp[k].load);
    free(s->warp);
}

void trace_free(struct trace *t)
{
    for (int k = 0; k < TRACE_SLOTS; k++) slot_free(&t->slot[k]);
    *t = (struct trace){0};
}

struct trace_warp *trace_of(struct trace *t, uint64_t block, uint32_t warp)
{
    for (int k = 0; t->warps && k < TRACE_SLOTS; k++)
        if (t->slot[k].block == block) return &t->slot[k].warp[warp];
    return NULL;
}

int trace_has_ops(const struct trace_slot *s)
{
    for (uint32_t k = 0; k < s->warps && s->block != TRACE_NO_BLOCK; k++)
        if (s->warp[k].count) return 1;
    return 0;
}

void trace_ops(const struct trace_slot *s, uint64_t *executed, uint64_t *recorded)
{
    *executed = *recorded = 0;
    for (uint32_t k = 0; k < s->warps; k++) {
        *executed += s->warp[k].all;
        *recorded += s->warp[k].kept;
    }
}

void trace_count(const struct trace_slot *s, uint64_t *ran)
{
    for (uint32_t k = 0; k < s->warps; k++) {
        const struct trace_warp *w = &s->warp[k];
        uint64_t times = w->kept ? (w->all + w->kept / 2) / w->kept : 0;
        for (uint32_t run = 0; run < w->count; run++)
            for (uint32_t op = 0; op < w->run[run].length; op++) ran[w->run[run].op + op] += times;
    }
}

// ---------------------------------------------------------------- slices

// Drops from a warp's record each slice (sequence of recorded ops) whose number modulo w->slot->stride is not
// w->slot->phase, because the record of the block no longer keeps these slices.
static void drop_slices(struct trace_warp *w)
{
    const struct trace_slot *s = w->slot;
    uint32_t n = 0, runs = 0, loads = 0;
    w->kept = 0;
    for (uint32_t k = 0; k < w->slices; k++) {
        struct trace_slice slice = w->slice[k];
        uint32_t run_end = k + 1 < w->slices ? w->slice[k + 1].run : w->count,
                 load_end = k + 1 < w->slices ? w->slice[k + 1].load : w->loads;
        if (slice.number % s->stride != s->phase) continue;
        memmove(w->run + runs, w->run + slice.run, (run_end - slice.run) * sizeof *w->run);
        memmove(w->load + loads, w->load + slice.load, (load_end - slice.load) * sizeof *w->load);
        w->slice[n++] = (struct trace_slice){slice.number, slice.kept, .run = runs, .load = loads};
        w->kept += slice.kept;
        runs += run_end - slice.run;
        loads += load_end - slice.load;
    }
    w->slices = n;
    w->count = runs;
    w->loads = loads;
    w->records = w->number % s->stride == s->phase;
}

// Drops every other recorded slice (sequence of ops) of a block's warps, to make room in the warps' records.
static void thin(struct trace_slot *s)
{
    uint32_t level = (uint32_t)__builtin_ctzll(s->stride);
    if (s->key >> level & 1) s->phase += s->stride;
    s->stride *= 2;
    for (uint32_t k = 0; k < s->warps; k++) drop_slices(&s->warp[k]);
}

static void begin_slice(struct trace_warp *w, uint64_t number)
{
    while (number / w->slot->stride >= TRACE_SLICES) thin(w->slot);
    w->number = number;
    w->length = 0;
    w->records = number % w->slot->stride == w->slot->phase;
    if (w->records) w->slice[w->slices++] = (struct trace_slice){number, 0, .run = w->count, .load = w->loads};
}

// Removes the last recorded op of a warp, the barrier at which the warp waits, from the warp's record.
static void drop_barrier(struct trace_warp *w)
{
    if (!w->records || !w->slice[w->slices - 1].kept) return;
    w->slice[w->slices - 1].kept--;
    w->kept--;
    if (!--w->run[w->count - 1].length) w->count--;
}

void trace_release(struct trace_slot *s, uint32_t warps)
{
    uint64_t last = 0, longest = 0;
    int all = 1;
    s->has_barrier = 1;
    for (uint32_t left = warps; left; left &= left - 1) {
        const struct trace_warp *w = &s->warp[__builtin_ctz(left)];
        if (w->number > last) last = w->number;
        if (w->length > longest) longest = w->length;
        all &= w->records;
    }
    for (uint32_t left = warps; left; left &= left - 1) {
        struct trace_warp *w = &s->warp[__builtin_ctz(left)];
        if (!all) drop_barrier(w);
        if (!all || longest >= s->limit / TRACE_SLICES) begin_slice(w, last + 1);
    }
}

// Returns 1 if the current slice (sequence of ops) of a warp is recorded and the warp's record has room for more ops.
static int has_room(const struct trace_warp *w)
{
    return w->records && w->slice[w->slices - 1].kept < w->slot->limit;
}

static void add_run(struct trace_warp *w, uint32_t op, uint32_t length)
{
    struct trace_slice *slice = &w->slice[w->slices - 1];
    struct trace_run *last = w->count > slice->run ? &w->run[w->count - 1] : NULL;
    w->kept += length;
    slice->kept += length;
    if (last && last->op + last->length == op) {
        last->length += length;
        return;
    }
    ALLOC_GROW(w->run, w->capacity, w->count + 1);
    w->run[w->count++] = (struct trace_run){op, length};
}

void trace_run(struct trace_warp *w, uint32_t op, uint32_t length)
{
    struct trace_slot *s = w->slot;
    w->all += length;
    w->length += length;
    if (has_room(w)) add_run(w, op, length);
    if (w->kept > s->limit && w->slices > 1) thin(s);
    if (w->length >= (s->has_barrier ? s->limit : s->limit / TRACE_SLICES)) begin_slice(w, w->number + 1);
}

uint32_t trace_load(struct trace_warp *w, uint32_t op, uint64_t line)
{
    if (!has_room(w)) return 0;
    ALLOC_GROW(w->load, w->load_capacity, w->loads + 1);
    w->load[w->loads++] = (struct trace_load){.line = line, .op = op, .serial = w->serial & INT32_MAX};
    return w->serial++ + 1;
}

void trace_missed(struct trace_warp *w, uint32_t record)
{
    uint32_t low = 0, high = w->loads;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (w->load[middle].serial < record - 1)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < w->loads && w->load[low].serial == record - 1) w->load[low].missed = 1;
}
