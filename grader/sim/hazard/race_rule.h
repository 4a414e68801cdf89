// The rule of races, once for both memories: what an access is checked against, what a shadow cell remembers of it, and
// what it forgets. The header shadow.h explains the rule and its reasons, race.h what is special to global memory.
//
// A file that keeps shadow cells defines `struct cell`, the place of one cell, and the functions below that are
// declared without a body, and includes this header after its own types. All functions are inlined there, so that each
// storage keeps its layout: arrays for eight shared words at a time (cell.c), or chunks that most arrays need only a
// part of (race.c).
#ifndef SIM_HAZARD_RACE_RULE_H
#define SIM_HAZARD_RACE_RULE_H

#include "sim/core/access.h"
#include "sim/hazard/race_report.h"
#include "sim/hazard/shadow.h"
#include "sim/hazard/stamp.h"
#include "sim/hazard/sync.h"

struct cell;

// ---------------------------------------------------------------- what a storage keeps

// The latest plain write, the latest strong write (`writes` is 1) and the latest strong read (0).
static struct race_mark cell_write(const struct cell *);
static struct race_mark cell_strong(const struct cell *, int writes);
static int cell_is_narrow(const struct cell *, int writes); // 1: the strong access has block scope
static void cell_keep_strong(const struct race_touch *, const struct cell *, int writes, struct race_mark);
// Keeps a plain write, and drops the readers and the strong accesses.
static void cell_keep_write(const struct race_touch *, const struct cell *, struct race_mark);
// The plain readers. A set without lanes is empty.
static uint32_t cell_sets(const struct cell *);
static struct race_set cell_set(const struct cell *, uint32_t k);
static void cell_keep_set(const struct cell *, uint32_t k, struct race_set);
// Keeps one set more. The set is lost if the cell has no room; a race with it can then be missed.
static void cell_add_set(const struct race_touch *, const struct cell *, struct race_set);

// ---------------------------------------------------------------- order

// Returns the description of a warp's access to the array `array`, without lanes and place. `serial`: struct
// race_touch.
static inline struct race_touch touch_of(struct sim_warp *w, const struct sim_access *a, uint32_t space,
                                         const void *array, uint8_t serial)
{
    int strong = sync_is_strong(a);
    return (struct race_touch){.w = w,
                               .a = a,
                               .s = w->block->shadow,
                               .array = array,
                               .space = space,
                               .block = (uint32_t)w->block->linear,
                               .op = a->op < SHADOW_OPS ? a->op : SHADOW_OPS,
                               .serial = serial,
                               .strong = (uint8_t)strong,
                               .narrow = strong && sync_is_block_scoped(a),
                               .data = a->data >> space & 1};
}

// Sets t->lane and t->thread to the lane of the warp whose access is checked next, and to its thread.
static inline void look_at(struct race_touch *t, uint32_t lane)
{
    t->lane = lane;
    t->thread = t->w->id * WARP_LANES + lane;
}

// Returns 1 if all accesses that `thread` of `block` made up to clock value `stamp` are ordered before the current
// access by lane t->lane. While blocks run in parallel, knows() returns 1 for every other block, because only accesses
// of the same block are compared then.
static inline int knows(const struct race_touch *t, uint32_t block, uint32_t thread, uint32_t stamp)
{
    if (block == t->block) return shadow_knows(t->s, t->w->id, t->lane, thread, stamp);
    if (!t->serial) return 1;
    return t->s->sync && vector_clock_knows(t->s->sync->known[t->thread], block, thread, stamp);
}

// Returns 1 if the recorded access exists and is not ordered before the current access by lane t->lane.
static inline int is_open(const struct race_touch *t, struct race_mark m)
{
    return m.stamp && !knows(t, m.block, STAMP_THREAD(m.who), m.stamp);
}

static inline int of_warp(const struct race_touch *t, struct race_mark m)
{
    return m.block == t->block && STAMP_WARP(m.who) == t->w->id;
}

// Returns 1 if an earlier access of another thread can be ordered before some lanes of a block's warp but not before
// others. A __syncwarp() of only some lanes, or release/acquire synchronisation, orders lanes individually.
static inline int lanes_differ(const struct race_touch *t, struct race_mark m)
{
    const struct sim_shadow *s = t->s;
    if (m.block != t->block) return s->sync && vector_clock_has_block(s->sync->known[t->thread], m.block);
    return (s->lanes_apart >> STAMP_WARP(m.who) & 1) || s->sync;
}

// Returns the lanes of the set whose reads are not ordered before the current access by lane t->lane.
static inline uint32_t open_lanes(const struct race_touch *t, const struct race_set *r)
{
    struct race_mark m = r->mark;
    uint32_t lanes = r->lanes, open = 0, first = STAMP_WARP(m.who) * WARP_LANES;
    if (of_warp(t, m)) lanes &= ~(1u << t->lane);
    if (!m.stamp || !lanes || (m.block == t->block && m.stamp <= t->s->floor)) return 0;
    if (!lanes_differ(t, m)) return knows(t, m.block, first + (uint32_t)__builtin_ctz(lanes), m.stamp) ? 0 : lanes;
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        if (!knows(t, m.block, first + l, m.stamp)) open |= 1u << l;
    }
    return open;
}

// ---------------------------------------------------------------- checks

static inline void check_writer(struct race_touch *t, const struct cell *c, enum finding_kind kind)
{
    struct race_mark m = cell_write(c);
    if (is_open(t, m)) race_report(t, kind, m, STAMP_THREAD(m.who), ACCESS_WRITE);
}

// Two strong accesses do not race if the scope of each includes the thread of the other.
static inline void check_strong(struct race_touch *t, const struct cell *c)
{
    for (int writes = 1; writes >= (t->a->kind == ACCESS_READ); writes--) {
        struct race_mark m = cell_strong(c, writes);
        if (t->strong && (m.block == t->block || (!t->narrow && !cell_is_narrow(c, writes)))) continue;
        enum finding_kind kind = writes || t->strong ? FINDING_race_atomic : FINDING_race_war;
        if (is_open(t, m)) race_report(t, kind, m, STAMP_THREAD(m.who), writes ? ACCESS_ATOMIC : ACCESS_READ);
    }
}

// Reports a race between two volatile accesses by lanes of one warp if neither is ordered before the other. The section
// "Volatile data" of shadow.h explains why two volatile accesses can race although they are strong.
static inline void check_data(struct race_touch *t, struct race_mark m, enum finding_kind kind, enum access_kind access)
{
    if (!t->data || !of_warp(t, m) || !is_open(t, m)) return;
    t->volatiles = 1;
    race_report(t, kind, m, STAMP_THREAD(m.who), access);
}

static inline void check_readers(struct race_touch *t, const struct cell *c, enum finding_kind kind)
{
    for (uint32_t k = 0, n = cell_sets(c); k < n; k++) {
        struct race_set r = cell_set(c, k);
        uint32_t lanes = open_lanes(t, &r);
        if (lanes)
            race_report(t, kind, r.mark, STAMP_WARP(r.mark.who) * WARP_LANES + (uint32_t)__builtin_ctz(lanes),
                        ACCESS_READ);
    }
}

// Reports a read through the read-only path (ld.global.nc) of what this launch has written before. The caches of this
// path do not see stores, so that barriers do not help either (PTX ISA 9.7.9.9).
static inline void check_stale(struct race_touch *t, const struct cell *c)
{
    if (!t->a->nc) return;
    struct race_mark m = cell_write(c);
    if (!m.stamp) m = cell_strong(c, 1);
    if (m.stamp) race_report(t, FINDING_stale_read, m, STAMP_THREAD(m.who), ACCESS_WRITE);
}

// ---------------------------------------------------------------- records

// Returns the current access by lane t->lane in the form in which a cell remembers it.
static inline struct race_mark mark_of(const struct race_touch *t)
{
    return (struct race_mark){t->block, t->s->clock, STAMP_ACCESS(t->op, t->thread)};
}

// Removes from the set each lane whose read is ordered before the read of a lane in t->lanes: a later write that races
// with the older read also races with the current one.
static inline void stand_for(struct race_touch *t, struct race_set *r)
{
    for (uint32_t left = t->lanes; left && r->lanes; left &= left - 1) {
        look_at(t, (uint32_t)__builtin_ctz(left));
        r->lanes = open_lanes(t, r);
        if (!t->s->sync && !of_warp(t, r->mark)) return; // all lanes of the access are ordered alike
    }
}

// Adds the current read to a set of the same warp, where no synchronisation of the warp lies between the two.
static inline void join_set(const struct race_touch *t, const struct cell *c, struct race_set *r)
{
    // The thread that wrote the word last is likely to write it again. A report about that write should name another
    // thread's read, so the thread's own read does not replace the op of another's.
    struct race_mark write = cell_write(c), now = mark_of(t);
    if (write.block == t->block && STAMP_IS_OF_LANES(write.who, t->w->id, t->lanes)) now.who = r->mark.who;
    *r = (struct race_set){now, r->lanes | t->lanes};
}

static inline void record_read(struct race_touch *t, const struct cell *c)
{
    uint32_t last = 31 - (uint32_t)__builtin_clz(t->lanes), n = cell_sets(c), place = n;
    for (uint32_t k = 0; k < n; k++) {
        struct race_set r = cell_set(c, k);
        int at_once = r.mark.stamp == t->s->clock && of_warp(t, r.mark);
        if (!at_once) stand_for(t, &r);
        look_at(t, last);
        int joins = r.lanes && (at_once || (of_warp(t, r.mark) && !lanes_differ(t, r.mark)));
        if (joins) join_set(t, c, &r);
        if (!r.lanes && place == n) place = k;
        cell_keep_set(c, k, r);
        if (joins) return;
    }
    struct race_set own = {mark_of(t), t->lanes};
    if (place < n)
        cell_keep_set(c, place, own);
    else
        cell_add_set(t, c, own);
}

// Returns 1 if the current volatile read must not replace the strong read that the cell holds: another lane's, if the
// current lane wrote the word last. The section "Volatile data" of shadow.h explains why.
static inline int keeps_reader(const struct race_touch *t, const struct cell *c)
{
    if (!t->data || !is_open(t, cell_strong(c, 0))) return 0;
    struct race_mark strong = cell_strong(c, 1), plain = cell_write(c);
    return (STAMP_THREAD(strong.who) == t->thread && strong.block == t->block) ||
           (STAMP_THREAD(plain.who) == t->thread && plain.block == t->block);
}

// ---------------------------------------------------------------- an access to one cell

// Checks a read by all lanes in t->lanes, and records it.
static inline void race_read(struct race_touch *t, const struct cell *c)
{
    int written = cell_write(c).stamp || cell_strong(c, 1).stamp;
    for (uint32_t left = written ? t->lanes : 0; left; left &= left - 1) {
        look_at(t, (uint32_t)__builtin_ctz(left));
        check_writer(t, c, FINDING_race_raw);
        check_strong(t, c);
        check_data(t, cell_strong(c, 1), FINDING_race_raw, ACCESS_WRITE);
        check_stale(t, c);
    }
    look_at(t, 31 - (uint32_t)__builtin_clz(t->lanes));
    if (!t->strong)
        record_read(t, c);
    else if (!keeps_reader(t, c))
        cell_keep_strong(t, c, 0, mark_of(t));
}

// Checks a write by lane t->lane, and records it. `same` is 1 for a store of the value that is already in memory.
static inline void race_write(struct race_touch *t, const struct cell *c, int same)
{
    check_readers(t, c, FINDING_race_war);
    check_strong(t, c);
    // checked last, because a race of equal values may be only a note
    check_writer(t, c, same ? FINDING_race_same_value : FINDING_race_waw);
    struct race_mark now = mark_of(t);
    if (!t->strong) {
        cell_keep_write(t, c, now);
        return;
    }
    if (!same) check_data(t, cell_strong(c, 0), FINDING_race_war, ACCESS_READ);
    if (t->data && same) now.stamp = 0; // the write does not change the value that readers see
    cell_keep_strong(t, c, 1, now);
}

static inline void race_atomic(struct race_touch *t, const struct cell *c)
{
    check_readers(t, c, FINDING_race_atomic);
    check_writer(t, c, FINDING_race_atomic);
    check_strong(t, c);
    cell_keep_strong(t, c, 1, mark_of(t));
}

static inline void race_check(struct race_touch *t, const struct cell *c, int same)
{
    if (t->a->kind == ACCESS_READ)
        race_read(t, c);
    else if (t->a->kind == ACCESS_WRITE)
        race_write(t, c, same);
    else
        race_atomic(t, c);
}

#endif
