// Tracks asynchronous copies (cp.async) for the race check; copies.h explains the rules of the check. Each thread has a
// list of its asynchronous copies in flight, the oldest first. A wait (cp.async.wait_group) removes completed copies
// from the front of the thread's list.
#include "sim/hazard/copies.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/core/launch.h"
#include "sim/hazard/cell.h"
#include "sim/hazard/stamp.h"

struct copy {
    uint32_t at, bytes, op; // at: offset in the shared window
    uint32_t group;         // number of the copy group in its thread, from 0
    uint32_t mbarrier;      // offset plus one of the mbarrier at which the copy arrives; 0: none
    uint32_t stamp;         // clock at which the thread bound the copy to the mbarrier
};

struct shadow_copies {
    uint32_t threads;
    struct copies_thread {
        struct copy *copy;
        uint32_t count, capacity;
        uint32_t closed; // number of groups that the thread has committed
    } thread[];
};

struct shadow_copies *copies_new(uint32_t threads)
{
    struct shadow_copies *c = alloc_zeroed(1, sizeof *c + threads * sizeof *c->thread);
    c->threads = threads;
    return c;
}

void copies_free(struct shadow_copies *c)
{
    if (!c) return;
    for (uint32_t t = 0; t < c->threads; t++) free(c->thread[t].copy);
    free(c);
}

void copies_begin(struct shadow_copies *c)
{
    for (uint32_t t = 0; t < c->threads; t++) c->thread[t].count = c->thread[t].closed = 0;
}

void copies_issue(struct shadow_copies *c, uint32_t thread, uint32_t at, uint32_t bytes, uint32_t op)
{
    struct copies_thread *t = &c->thread[thread];
    ALLOC_GROW(t->copy, t->capacity, t->count + 1);
    t->copy[t->count++] = (struct copy){.at = at, .bytes = bytes, .op = op, .group = t->closed};
}

void copies_commit(struct sim_warp *w, uint32_t mask)
{
    struct sim_shadow *s = w->block->shadow;
    if (!s || !s->copies) return;
    for (uint32_t left = mask; left; left &= left - 1) {
        s->copies->thread[w->id * WARP_LANES + (uint32_t)__builtin_ctz(left)].closed++;
    }
}

// Marks the shadow cell i as written at clock value `stamp` by the asynchronous copy `who`. Does nothing if another
// write to the cell's word has meanwhile replaced the copy's mark SHADOW_IN_FLIGHT.
static void land_cell(struct shadow_cells *c, uint32_t i, uint32_t who, uint32_t stamp)
{
    if (c->write_stamp[i] == SHADOW_IN_FLIGHT && c->writer[i] == who) c->write_stamp[i] = stamp;
}

// Turns an asynchronous copy into a completed store at clock value `stamp`, in every shadow cell that the copy writes.
static void land(struct sim_shadow *s, uint32_t thread, const struct copy *copy, uint32_t stamp)
{
    uint32_t who = STAMP_ACCESS(copy->op < SHADOW_OPS ? copy->op : SHADOW_OPS, thread);
    for (uint32_t at = copy->at; at < copy->at + copy->bytes; at++) {
        if (s->word.write_stamp[at / 4] == SHADOW_SPLIT)
            land_cell(&s->byte, at, who, stamp);
        else
            land_cell(&s->word, at / 4, who, stamp);
    }
}

void copies_wait(struct sim_warp *w, uint32_t mask, uint32_t left_over)
{
    struct sim_shadow *s = w->block->shadow;
    if (!s || !s->copies) return;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t thread = w->id * WARP_LANES + (uint32_t)__builtin_ctz(left), done = 0;
        struct copies_thread *t = &s->copies->thread[thread];
        for (; done < t->count; done++) {
            const struct copy *copy = &t->copy[done];
            if (left_over != COPIES_ALL && (uint64_t)copy->group + left_over >= t->closed) break;
            land(s, thread, copy, s->clock);
        }
        t->count -= done;
        memmove(t->copy, t->copy + done, t->count * sizeof *t->copy);
    }
}

void copies_bind(struct sim_shadow *s, uint32_t thread, uint32_t mbarrier)
{
    if (!s->copies) return;
    struct copies_thread *t = &s->copies->thread[thread];
    for (uint32_t k = 0; k < t->count; k++) {
        if (t->copy[k].mbarrier) continue;
        t->copy[k].mbarrier = mbarrier + 1;
        t->copy[k].stamp = s->clock;
    }
}

void copies_complete(struct sim_shadow *s, uint32_t mbarrier)
{
    if (!s->copies) return;
    for (uint32_t thread = 0; thread < s->copies->threads; thread++) {
        struct copies_thread *t = &s->copies->thread[thread];
        uint32_t kept = 0;
        for (uint32_t k = 0; k < t->count; k++) {
            if (t->copy[k].mbarrier == mbarrier + 1)
                land(s, thread, &t->copy[k], t->copy[k].stamp);
            else
                t->copy[kept++] = t->copy[k];
        }
        t->count = kept;
    }
}
