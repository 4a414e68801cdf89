// Writes a recording: its head, the checkpoint with which it begins, and its events.
//
// A checkpoint is written as steps like those of the recording: first the steps that wrote the elements of arrays, then
// one step for the lanes of a warp that are at the same line, with the values of their variables and what they wait
// for.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "sim/record/state.h"

// The steps of a checkpoint that are being written.
struct checkpoint {
    const struct recorder *r;
    const struct record_state *state;
    struct text out;
    uint32_t steps;
};

static void put_step(struct checkpoint *c, uint32_t warp, uint32_t line, uint32_t function, uint32_t mask)
{
    recording_put(&c->out, &(struct recording_event){.tag = RECORDING_STEP,
                                                     .warp = warp,
                                                     .line = line,
                                                     .mask = mask,
                                                     .function = function < RECORDING_FUNCTIONS ? function : 0});
    c->steps++;
}

// ---------------------------------------------------------------- writers

// An element that was written: its array, its index and its cell.
struct written {
    const struct cell *cell;
    uint32_t array, element;
};

static int compare_written(const void *x, const void *y)
{
    const struct written *a = x, *b = y;
    if (a->cell->step != b->cell->step) return a->cell->step < b->cell->step ? -1 : 1;
    if (a->array != b->array) return a->array < b->array ? -1 : 1;
    return a->element < b->element ? -1 : 1;
}

// Lists the elements that were written. Returns their number.
static uint32_t list_written(const struct checkpoint *c, struct written *all)
{
    const struct recorder *r = c->r;
    uint32_t n = 0;
    for (uint32_t a = 0; a < r->head.narrays; a++)
        for (uint32_t b = 0; b < (r->head.array[a].shared ? r->head.nblocks : 1); b++) {
            uint32_t first = r->first_cell[a * RECORDING_BLOCKS + b];
            for (uint32_t e = 0; first != RECORDING_NO_ARRAY && e < r->head.array[a].count; e++)
                if (c->state->cell[first + e].written) all[n++] = (struct written){&c->state->cell[first + e], a, e};
        }
    qsort(all, n, sizeof *all, compare_written);
    return n;
}

// Writes the elements all[0] to all[n - 1], which one step wrote: events in which each lane writes one element.
static void put_written(struct checkpoint *c, const struct written *all, uint32_t n)
{
    struct recording_event e = {.tag = RECORDING_WRITE, .index = all[0].array};
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < n; i++) lanes |= 1u << all[i].cell->lane;
    put_step(c, all[0].cell->warp, all[0].cell->line, all[0].cell->function, lanes);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t lane = all[i].cell->lane;
        if (e.mask && (e.mask >> lane & 1 || all[i].array != e.index)) {
            recording_put(&c->out, &e);
            e.mask = 0;
        }
        e.index = all[i].array;
        e.mask |= 1u << lane;
        e.element[lane] = all[i].element;
        e.value[lane] = all[i].cell->value;
    }
    recording_put(&c->out, &e);
}

static void put_writers(struct checkpoint *c)
{
    struct written *all = alloc_zeroed(c->r->cells + 1, sizeof *all);
    uint32_t n = list_written(c, all);
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && all[end].cell->step == all[i].cell->step;) end++;
        put_written(c, all + i, end - i);
    }
    free(all);
}

// ---------------------------------------------------------------- warps

static void put_status(struct checkpoint *c, const struct lane_state *at, uint32_t mask)
{
    static const uint8_t tag[] = {[LANE_WAITS] = RECORDING_WARP_WAIT,
                                  [LANE_SLEEPS] = RECORDING_SLEEP,
                                  [LANE_EXITED] = RECORDING_EXIT,
                                  [LANE_AT_BARRIER] = RECORDING_WAIT};
    if (at->status == LANE_RUNS) return;
    recording_put(&c->out, &(struct recording_event){.tag = tag[at->status], .index = at->barrier, .mask = mask});
}

// Writes the lanes in `mask` of a warp, which are at the same line with the same status.
static void put_lanes(struct checkpoint *c, uint32_t warp, uint32_t mask)
{
    const struct lane_state *at = &c->state->lane[warp][__builtin_ctz(mask)];
    put_step(c, warp, at->line, at->function, mask);
    for (uint32_t part = 0; part < c->r->head.nparts; part++) {
        size_t i = state_at(c->r, part, warp);
        struct recording_event e = {.tag = RECORDING_VALUE, .index = part, .mask = mask & c->state->known[i]};
        if (!e.mask) continue;
        e.undefined = c->state->undefined[i] & e.mask;
        memcpy(e.value, c->state->value[i], sizeof e.value);
        recording_put(&c->out, &e);
    }
    put_status(c, at, mask);
}

static void put_warp(struct checkpoint *c, uint32_t warp)
{
    const struct lane_state *lane = c->state->lane[warp];
    uint32_t left = 0, same;
    for (uint32_t l = 0; l < WARP_LANES; l++) left |= (uint32_t)lane[l].started << l;
    for (; left; left &= ~same) {
        const struct lane_state *at = &lane[__builtin_ctz(left)];
        same = 0;
        for (uint32_t l = 0; l < WARP_LANES; l++)
            if (left >> l & 1 && lane[l].line == at->line && lane[l].function == at->function &&
                lane[l].status == at->status && lane[l].barrier == at->barrier)
                same |= 1u << l;
        put_lanes(c, warp, same);
    }
}

void recorder_write(struct recorder *r, struct text *out)
{
    struct checkpoint c = {.r = r};
    r->head.first = r->chunks ? r->chunk[0].first : 1;
    r->head.complete = !r->full;
    if (r->chunks) {
        c.state = &r->chunk[0].before;
        put_writers(&c);
        for (uint32_t w = 0; w < r->warps; w++) put_warp(&c, w);
    }
    r->head.before = c.steps;
    recording_put_head(out, &r->head);
    text_add(out, c.out.data ? c.out.data : "", c.out.length);
    for (uint32_t i = 0; i < r->chunks; i++)
        text_add(out, r->chunk[i].events.data ? r->chunk[i].events.data : "", r->chunk[i].events.length);
    recording_put(out, &(struct recording_event){.tag = RECORDING_END});
    text_free(&c.out);
}
