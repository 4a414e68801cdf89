// Keeps the shadow cells of a block's shared memory, and checks and records accesses in them (race_rule.h). The header
// shadow.h explains the cells.
#include "sim/hazard/cell.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/core/access.h"
#include "sim/hazard/copies.h"
#include "sim/hazard/diagnose.h"
#include "sim/hazard/plain.h"
#include "sim/hazard/race_rule.h"
#include "sim/hazard/stamp.h"
#include "sim/hazard/sync.h"

static void new_strong(struct shadow_cells *c)
{
    uint32_t **array[] = {&c->strong_write_stamp, &c->strong_writer, &c->strong_read_stamp, &c->strong_reader};
    for (size_t i = 0; i < sizeof array / sizeof array[0]; i++) *array[i] = alloc_zeroed(c->count, sizeof(uint32_t));
}

void cells_new(struct shadow_cells *c, uint32_t count)
{
    uint32_t **array[] = {&c->write_stamp, &c->writer,      &c->read_stamp, &c->reader,
                          &c->read_lanes,  &c->other_stamp, &c->other,      &c->other_lanes};
    c->count = count;
    // Each array of struct shadow_cells has eight spare elements, so that a vector of eight words can be loaded from
    // any element on.
    for (size_t i = 0; i < sizeof array / sizeof array[0]; i++) *array[i] = alloc_zeroed(count + 8, sizeof(uint32_t));
}

void cells_free(struct shadow_cells *c)
{
    cells_free_extra(c);
    uint32_t *array[] = {c->write_stamp,
                         c->writer,
                         c->read_stamp,
                         c->reader,
                         c->read_lanes,
                         c->other_stamp,
                         c->other,
                         c->other_lanes,
                         c->strong_write_stamp,
                         c->strong_writer,
                         c->strong_read_stamp,
                         c->strong_reader};
    for (size_t i = 0; i < sizeof array / sizeof array[0]; i++) free(array[i]);
    free(c->more);
    memset(c, 0, sizeof *c);
}

void cells_clear(struct shadow_cells *c)
{
    uint32_t *stamp[] = {c->write_stamp, c->read_stamp, c->other_stamp, c->strong_write_stamp, c->strong_read_stamp};
    for (size_t i = 0; i < sizeof stamp / sizeof stamp[0]; i++) {
        if (stamp[i]) memset(stamp[i], 0, c->count * sizeof(uint32_t));
    }
}

void cells_free_extra(struct shadow_cells *c)
{
    for (uint32_t i = 0; c->more && i < c->count; i++) {
        free(c->more[i]);
        c->more[i] = NULL;
    }
}

// ---------------------------------------------------------------- one cell

struct cell {
    struct shadow_cells *cells;
    uint32_t at;
    uint32_t block;
};

static struct race_mark cell_write(const struct cell *c)
{
    return (struct race_mark){.block = c->block, .stamp = c->cells->write_stamp[c->at], .who = c->cells->writer[c->at]};
}

static void cell_keep_write(const struct race_touch *t, const struct cell *c, struct race_mark m)
{
    struct shadow_cells *to = c->cells;
    to->write_stamp[c->at] = t->a->async && (t->s->checks & CHECK_RACES) ? SHADOW_IN_FLIGHT : m.stamp;
    to->writer[c->at] = m.who;
    to->read_stamp[c->at] = to->other_stamp[c->at] = 0;
    if (to->more && to->more[c->at]) to->more[c->at]->count = 0;
    if (to->strong_writer) to->strong_write_stamp[c->at] = to->strong_read_stamp[c->at] = 0;
}

static struct race_mark cell_strong(const struct cell *c, int writes)
{
    const struct shadow_cells *from = c->cells;
    if (!from->strong_writer) return (struct race_mark){0};
    return (struct race_mark){.block = c->block,
                              .stamp = (writes ? from->strong_write_stamp : from->strong_read_stamp)[c->at],
                              .who = (writes ? from->strong_writer : from->strong_reader)[c->at]};
}

static int cell_is_narrow(const struct cell *c, int writes)
{
    (void)c, (void)writes;
    return 0; // nobody outside of the block has the word
}

static void cell_keep_strong(const struct race_touch *t, const struct cell *c, int writes, struct race_mark m)
{
    struct shadow_cells *to = c->cells;
    if (!to->strong_writer) new_strong(to);
    t->s->strong = t->s->clock;
    (writes ? to->strong_write_stamp : to->strong_read_stamp)[c->at] = m.stamp;
    (writes ? to->strong_writer : to->strong_reader)[c->at] = m.who;
    if (writes && to->write_stamp[c->at] < t->s->first_stamp) to->write_stamp[c->at] = t->s->first_stamp;
}

enum { SETS = 2 }; // sets of readers that the arrays of struct shadow_cells hold: `reader` and `other`

static uint32_t cell_sets(const struct cell *c)
{
    const struct shadow_readers *more = c->cells->more ? c->cells->more[c->at] : NULL;
    return SETS + (more ? more->count : 0);
}

static struct race_set set_of(const struct cell *c, uint32_t stamp, uint32_t who, uint32_t lanes)
{
    uint32_t thread = STAMP_WARP_ACCESS_WARP(who) * WARP_LANES;
    return (struct race_set){{c->block, stamp, STAMP_ACCESS(STAMP_WARP_ACCESS_OP(who), thread)}, stamp ? lanes : 0};
}

static struct race_set cell_set(const struct cell *c, uint32_t k)
{
    const struct shadow_cells *from = c->cells;
    if (k == 0) return set_of(c, from->read_stamp[c->at], from->reader[c->at], from->read_lanes[c->at]);
    if (k == 1) return set_of(c, from->other_stamp[c->at], from->other[c->at], from->other_lanes[c->at]);
    return from->more[c->at]->set[k - SETS];
}

static void cell_keep_set(const struct cell *c, uint32_t k, struct race_set r)
{
    struct shadow_cells *to = c->cells;
    uint32_t who = STAMP_WARP_ACCESS(STAMP_OP(r.mark.who), STAMP_WARP(r.mark.who)), stamp = r.lanes ? r.mark.stamp : 0;
    if (k == 0)
        to->read_stamp[c->at] = stamp, to->reader[c->at] = who, to->read_lanes[c->at] = r.lanes;
    else if (k == 1)
        to->other_stamp[c->at] = stamp, to->other[c->at] = who, to->other_lanes[c->at] = r.lanes;
    else
        to->more[c->at]->set[k - SETS] = r;
}

// If barriers of the whole block are the only synchronisation between warps, a write that races with a further warp's
// read also races with a read of the two sets that the cell has.
static void cell_add_set(const struct race_touch *t, const struct cell *c, struct race_set r)
{
    struct shadow_cells *to = c->cells;
    if (!t->s->warps_apart && !t->s->sync) return;
    if (!to->more) to->more = alloc_zeroed(to->count, sizeof *to->more);
    if (!to->more[c->at]) to->more[c->at] = alloc_zeroed(1, sizeof *to->more[c->at]);
    struct shadow_readers *more = to->more[c->at];
    if (more->count < SHADOW_READERS) more->set[more->count++] = r;
}

// Copies shadow cell k of `from` to shadow cell i of `to`.
static void copy_cell(struct shadow_cells *to, uint32_t i, const struct shadow_cells *from, uint32_t k)
{
    to->write_stamp[i] = from->write_stamp[k];
    to->writer[i] = from->writer[k];
    to->read_stamp[i] = from->read_stamp[k];
    to->reader[i] = from->reader[k];
    to->read_lanes[i] = from->read_lanes[k];
    to->other_stamp[i] = from->other_stamp[k];
    to->other[i] = from->other[k];
    to->other_lanes[i] = from->other_lanes[k];
    if (to->more && to->more[i]) to->more[i]->count = 0;
    if (from->more && from->more[k] && from->more[k]->count) {
        if (!to->more) to->more = alloc_zeroed(to->count, sizeof *to->more);
        if (!to->more[i]) to->more[i] = alloc_zeroed(1, sizeof *to->more[i]);
        *to->more[i] = *from->more[k];
    }
    if (!from->strong_writer && !to->strong_writer) return;
    if (!to->strong_writer) new_strong(to);
    to->strong_write_stamp[i] = from->strong_writer ? from->strong_write_stamp[k] : 0;
    to->strong_read_stamp[i] = from->strong_writer ? from->strong_read_stamp[k] : 0;
    if (!from->strong_writer) return;
    to->strong_writer[i] = from->strong_writer[k];
    to->strong_reader[i] = from->strong_reader[k];
}

// Splits the shadow cell of a word into four cells, one for each byte. The four shadow cells of the bytes start as
// copies of the word's shadow cell.
static void split_word(struct sim_shadow *s, uint32_t word)
{
    if (s->word.write_stamp[word] == SHADOW_SPLIT) return;
    if (!s->byte.count) {
        cells_new(&s->byte, s->words * 4);
        s->undefined = alloc_zeroed(s->words * 4, 1);
    }
    for (uint32_t b = 0; b < 4; b++) {
        copy_cell(&s->byte, word * 4 + b, &s->word, word);
        s->undefined[word * 4 + b] = 0;
    }
    s->word.write_stamp[word] = SHADOW_SPLIT;
    s->splits++;
}

// Makes one shadow cell out of the four shadow cells of a word's bytes, after one thread has written all four bytes.
static void join_word(struct sim_shadow *s, uint32_t word)
{
    copy_cell(&s->word, word, &s->byte, word * 4);
}

// Reports that the current lane reads shared memory that the block has never written.
static void never_written(const struct race_touch *t)
{
    if (t->s->checks & CHECK_WRITTEN) diagnose_access(t->w, t->a, SPACE_SHARED, t->lane, FINDING_never_written, t->at);
}

// Returns a mask of the undefined bits in the bytes [at, at + bytes) of shared memory. Sets *unwritten to 1 if the
// block has never written at least one of the bytes [at, at + bytes).
static uint64_t undefined_bits(const struct sim_shadow *s, uint32_t at, uint32_t bytes, int *unwritten)
{
    uint64_t bits = 0;
    for (uint32_t b = 0; b < bytes; b++) {
        uint32_t byte = at + b, stamp = s->word.write_stamp[byte / 4];
        int split = stamp == SHADOW_SPLIT;
        if (split) stamp = s->byte.write_stamp[byte];
        *unwritten |= stamp < s->first_stamp;
        bits |= (stamp < s->first_stamp ? 0xffull : split ? s->undefined[byte] : 0) << 8 * b;
    }
    return bits;
}

int shadow_is_touched(const struct sim_shadow *s, uint32_t at)
{
    int touched = 0;
    for (uint32_t byte = at / 4 * 4; byte < at / 4 * 4 + 4; byte++) {
        uint32_t stamp = s->word.write_stamp[byte / 4];
        touched |= (stamp == SHADOW_SPLIT ? s->byte.write_stamp[byte] : stamp) >= s->first_stamp;
    }
    return touched;
}

void shadow_mark_written(struct sim_shadow *s, uint32_t at, uint32_t bytes)
{
    for (uint32_t byte = at; byte < at + bytes; byte++) {
        uint32_t *stamp = &s->word.write_stamp[byte / 4];
        if (*stamp == SHADOW_SPLIT) stamp = &s->byte.write_stamp[byte];
        if (*stamp < s->first_stamp) *stamp = s->first_stamp;
    }
}

// Returns the description of an access by `lanes` at offset `at` of the shared window. The first of them is looked at.
static struct race_touch lanes_touch(struct sim_warp *w, const struct sim_access *a, uint32_t lanes, uint32_t at)
{
    struct race_touch t = touch_of(w, a, SPACE_SHARED, NULL, 0);
    t.at = at;
    t.lanes = lanes;
    look_at(&t, (uint32_t)__builtin_ctz(lanes));
    return t;
}

// Checks and records the access in each cell of its bytes. If the access is narrower than a word, first splits the
// word's cell into four cells of one byte.
static void check_cells(struct race_touch *t, int same)
{
    struct sim_shadow *s = t->s;
    for (uint32_t at = (uint32_t)t->at, end = at + t->a->bytes; at < end;) {
        if (t->a->bytes < 4) split_word(s, at / 4);
        int split = s->word.write_stamp[at / 4] == SHADOW_SPLIT;
        struct cell c = {split ? &s->byte : &s->word, split ? at : at / 4, t->block};
        race_check(t, &c, same);
        at += split ? 1 : 4;
    }
}

// Records a plain read of whole words, and returns 1, if it cannot race and reads nothing undefined.
static int is_plain_read(const struct sim_warp *w, const struct sim_access *a, uint32_t lanes, uint32_t at)
{
    struct sim_shadow *s = w->block->shadow;
    if (a->bytes % 4 || a->op >= SHADOW_OPS || sync_is_strong(a) || !plain_is_simple(s, w->id)) return 0;
    for (uint32_t word = at / 4; word * 4 < at + a->bytes; word++)
        if (!plain_may_read(s, word, w->id)) return 0;
    for (uint32_t word = at / 4; word * 4 < at + a->bytes; word++) plain_record_read(s, word, w->id, a->op, lanes);
    return 1;
}

uint64_t shadow_read(struct sim_warp *w, const struct sim_access *a, uint32_t lanes, uint32_t at, int at_once)
{
    if (is_plain_read(w, a, lanes, at)) return 0;
    struct race_touch t = lanes_touch(w, a, lanes, at);
    uint32_t first = t.lane;
    int unwritten = 0;
    check_cells(&t, 0);
    for (uint32_t left = t.strong ? lanes : 0; left; left &= left - 1)
        sync_read(w, a, SPACE_SHARED, (uint32_t)__builtin_ctz(left), at);
    if (!(t.s->checks & CHECK_WRITTEN)) return 0;
    uint64_t bits = undefined_bits(t.s, at, a->bytes, &unwritten);
    if (!unwritten || !at_once) return bits;
    look_at(&t, first);
    never_written(&t);
    shadow_mark_written(t.s, at, a->bytes);
    return 0;
}

// Returns 1 if the op `op`, an asynchronous copy, was the last to write all words of the bytes [at, at + bytes). If two
// threads copy equal bytes to the same place by the same op, their order does not matter. For example,
// cooperative_groups::memcpy_async() lets spare lanes repeat the copy of the last element.
static int is_repeated(const struct sim_shadow *s, uint32_t at, uint32_t bytes, uint32_t op)
{
    for (uint32_t word = at / 4; word * 4 < at + bytes; word++)
        if (s->word.write_stamp[word] == SHADOW_SPLIT || STAMP_OP(s->word.writer[word]) != op) return 0;
    return op < SHADOW_OPS;
}

void shadow_write(struct sim_warp *w, const struct sim_access *a, uint32_t lane, uint32_t at, const void *fresh,
                  uint64_t undefined)
{
    struct race_touch t = lanes_touch(w, a, 1u << lane, at);
    struct sim_shadow *s = t.s;
    for (uint32_t word = at / 4; undefined && word * 4 < at + a->bytes; word++) split_word(s, word);
    int same = memcmp(w->block->shared + at, fresh, a->bytes) == 0;
    if (a->async && (s->checks & CHECK_RACES)) {
        if (!s->copies) s->copies = copies_new(s->warps * WARP_LANES);
        copies_issue(s->copies, t.thread, at, a->bytes, a->op);
        same = same && is_repeated(s, at, a->bytes, a->op);
    }
    check_cells(&t, same);
    for (uint32_t word = at / 4; word * 4 < at + a->bytes; word++) {
        if (s->word.write_stamp[word] != SHADOW_SPLIT) continue;
        for (uint32_t b = 0; b < 4; b++) {
            uint32_t byte = word * 4 + b;
            if (byte >= at && byte < at + a->bytes) s->undefined[byte] = (uint8_t)(undefined >> 8 * (byte - at));
        }
        if (!undefined && a->bytes >= 4 && !a->async && !sync_is_strong(a)) join_word(s, word);
    }
    sync_write(w, a, SPACE_SHARED, lane, at);
}

void shadow_atomic(struct sim_warp *w, const struct sim_access *a, uint32_t lane, uint32_t at)
{
    struct race_touch t = lanes_touch(w, a, 1u << lane, at);
    int unwritten = 0;
    if (access_reads(a) && undefined_bits(t.s, at, a->bytes, &unwritten)) never_written(&t);
    shadow_mark_written(t.s, at, a->bytes);
    check_cells(&t, 0);
    sync_read(w, a, SPACE_SHARED, lane, at);
    if (!t.s->undefined) return;
    memset(t.s->undefined + at, 0, a->bytes);
}
