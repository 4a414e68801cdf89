// Records the ops that warps execute; trace.h states the contracts.
#include "sim/timing/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/prng.h"

// RESIDENT_OPS is the number of ops of a window for the resident warps of one multiprocessor together, and LEAST_OPS
// the number for each warp in any case. A window of a block with barriers may have up to MOST_WINDOWS times as many
// ops.
enum { RESIDENT_OPS = 1 << 18, LEAST_OPS = 4096, MOST_WINDOWS = 2 };

uint64_t trace_choose(const struct sim_launch *launch, const char *purpose, uint64_t at, uint64_t count)
{
    struct prng random = prng_stream(launch->request->sample_key + at, purpose);
    return (uint64_t)((unsigned __int128)prng_u64(&random) * count >> 64);
}

static void record_begin(struct trace_record *r)
{
    r->count = r->loads = 0;
    r->kept = 0;
}

static void slot_begin(struct trace_slot *s, const struct sim_launch *launch, uint64_t block, uint64_t limit)
{
    if (!s->warp) s->warp = alloc_zeroed(launch->warps, sizeof *s->warp);
    s->block = block;
    s->limit = limit;
    s->has_barrier = 0;
    s->warps = launch->warps;
    s->key = trace_choose(launch, "windows", block, UINT64_MAX);
    for (uint32_t k = 0; k < s->warps; k++) {
        struct trace_warp *w = &s->warp[k];
        record_begin(&w->kept);
        record_begin(&w->next);
        w->all = w->in_window = w->window = 0;
        w->serial = 0;
        w->records = 2;
        w->slot = s;
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
    for (uint32_t k = 0; s->warp && k < s->warps; k++) {
        free(s->warp[k].kept.run), free(s->warp[k].kept.load);
        free(s->warp[k].next.run), free(s->warp[k].next.load);
    }
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
        if (s->warp[k].kept.count) return 1;
    return 0;
}

void trace_count(const struct trace_slot *s, uint64_t *ran)
{
    for (uint32_t k = 0; k < s->warps; k++) {
        const struct trace_record *r = &s->warp[k].kept;
        uint64_t times = r->kept ? (s->warp[k].all + r->kept / 2) / r->kept : 0;
        for (uint32_t run = 0; run < r->count; run++)
            for (uint32_t op = 0; op < r->run[run].length; op++) ran[r->run[run].op + op] += times;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// windows
static void begin_window(struct trace_warp *w, uint64_t number)
{
    struct prng random = prng_stream(w->slot->key + number, "window");
    w->window = number;
    w->in_window = 0;
    w->records = (uint64_t)((unsigned __int128)prng_u64(&random) * (number + 1) >> 64) == 0;
    if (w->records) record_begin(&w->next);
}

// Replaces the warp's record by the current window, which is long enough.
static void accept_window(struct trace_warp *w)
{
    struct trace_record old = w->kept;
    if (w->records != 1) return;
    w->kept = w->next;
    w->next = old;
    w->records = 2;
}

// Accepts the current window when it has half of its length: for all warps of a block with barriers, because warps that
// wait for others have few ops.
static void accept(struct trace_warp *w)
{
    if (!w->slot->has_barrier)
        accept_window(w);
    else
        for (uint32_t k = 0; k < w->slot->warps; k++) accept_window(&w->slot->warp[k]);
}

void trace_release(struct trace_slot *s)
{
    uint64_t last = 0, longest = 0;
    s->has_barrier = 1;
    for (uint32_t k = 0; k < s->warps; k++) {
        if (s->warp[k].window > last) last = s->warp[k].window;
        if (s->warp[k].in_window > longest) longest = s->warp[k].in_window;
    }
    for (uint32_t k = 0; k < s->warps && longest >= s->limit; k++) begin_window(&s->warp[k], last + 1);
}

static struct trace_record *recorded(struct trace_warp *w)
{
    struct trace_record *r = w->records == 2 ? &w->kept : &w->next;
    return w->records && r->kept < MOST_WINDOWS * w->slot->limit ? r : NULL;
}

static void add_run(struct trace_record *r, uint32_t op, uint32_t length)
{
    struct trace_run *last = r->count ? &r->run[r->count - 1] : NULL;
    r->kept += length;
    if (last && last->op + last->length == op) {
        last->length += length;
        return;
    }
    ALLOC_GROW(r->run, r->capacity, r->count + 1);
    r->run[r->count++] = (struct trace_run){op, length};
}

void trace_run(struct trace_warp *w, uint32_t op, uint32_t length)
{
    struct trace_record *r = recorded(w);
    w->all += length;
    w->in_window += length;
    if (r) add_run(r, op, length);
    if (w->records == 1 && w->next.kept >= w->slot->limit / 2) accept(w);
    if (!w->slot->has_barrier && w->in_window >= w->slot->limit) begin_window(w, w->window + 1);
}

uint32_t trace_load(struct trace_warp *w, uint32_t op, uint64_t line)
{
    struct trace_record *r = recorded(w);
    if (!r) return 0;
    ALLOC_GROW(r->load, r->load_capacity, r->loads + 1);
    r->load[r->loads++] = (struct trace_load){.line = line, .op = op, .serial = w->serial & INT32_MAX};
    return w->serial++ + 1;
}

// Marks the load with the number `serial` as missing the L1, if the record has it.
static void mark_missed(struct trace_record *r, uint32_t serial)
{
    uint32_t low = 0, high = r->loads;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (r->load[middle].serial < serial)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < r->loads && r->load[low].serial == serial) r->load[low].missed = 1;
}

void trace_missed(struct trace_warp *w, uint32_t record)
{
    mark_missed(&w->kept, record - 1);
    mark_missed(&w->next, record - 1);
}
