// Checks and records one lane's access in the shadow cells of a block's shared memory. A shadow cell is the record of
// the latest accesses to one word or one byte. The header shadow.h explains the rules of the race check.
#include "sim/hazard/cell.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/core/access.h"
#include "sim/hazard/copies.h"
#include "sim/hazard/diagnose.h"
#include "sim/hazard/finding_log.h"
#include "sim/hazard/stamp.h"
#include "sim/hazard/sync.h"

void cells_new(struct shadow_cells *c, uint32_t count)
{
    uint32_t **array[] = {&c->write_stamp, &c->writer,      &c->read_stamp, &c->reader,
                          &c->read_lanes,  &c->other_stamp, &c->other};
    c->count = count;
    // Each array of struct shadow_cells has eight spare elements, so that a vector of eight words can be loaded from
    // any element on.
    for (size_t i = 0; i < sizeof array / sizeof array[0]; i++) *array[i] = alloc_zeroed(count + 8, sizeof(uint32_t));
}

void cells_free(struct shadow_cells *c)
{
    cells_free_extra(c);
    uint32_t *array[] = {c->write_stamp,  c->writer, c->read_stamp,         c->reader,        c->read_lanes,
                         c->other_stamp,  c->other,  c->strong_write_stamp, c->strong_writer, c->strong_read_stamp,
                         c->strong_reader};
    for (size_t i = 0; i < sizeof array / sizeof array[0]; i++) free(array[i]);
    free(c->wide);
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
    for (uint32_t i = 0; c->wide && i < c->count; i++) {
        free(c->wide[i]);
        c->wide[i] = NULL;
    }
    for (uint32_t i = 0; c->more && i < c->count; i++) {
        free(c->more[i]);
        c->more[i] = NULL;
    }
}

// Describes one lane's access while that access is checked for races.
struct touch {
    struct sim_warp *w;
    const struct sim_access *a;
    struct sim_shadow *s;
    uint32_t lane, thread;
    uint32_t at;          // offset in the window
    int strong, reported; // strong, 1: the race is between two volatile accesses; reported, 1: a race was reported
};

// Returns the description of an access by one lane at offset `at` of the shared window.
static struct touch touch_of(struct sim_warp *w, const struct sim_access *a, uint32_t lane, uint32_t at)
{
    return (struct touch){w, a, w->block->shadow, lane, w->id * WARP_LANES + lane, at, 0, 0};
}

// Returns the index of the op that makes the access, or SHADOW_OPS if the index is too large to be stored in a shadow
// cell.
static uint32_t shadow_op(const struct touch *t)
{
    return t->a->op < SHADOW_OPS ? t->a->op : SHADOW_OPS;
}

// ---------------------------------------------------------------- order

// Returns 1 if all accesses of `thread` up to clock value `stamp` are ordered before the access that is being checked.
static int ordered(const struct touch *t, uint32_t stamp, uint32_t thread)
{
    return shadow_knows(t->s, t->w->id, t->lane, thread, stamp);
}

// Returns 1 if an earlier access of another thread can be ordered before some lanes of `warp` but not before others. A
// __syncwarp() of only some lanes, or release/acquire synchronisation, can order the lanes of a warp individually.
static int lanes_differ(const struct sim_shadow *s, uint32_t warp)
{
    return (s->lanes_apart >> warp & 1) || s->sync;
}

// Reports a race between the current access and an earlier access by `thread` at op index `op`. Does nothing if a race
// of the current access was reported before.
static void report(struct touch *t, enum finding_kind kind, uint32_t thread, uint32_t op, enum access_kind access)
{
    if (t->reported || !(t->s->checks & CHECK_RACES)) return;
    t->reported = 1;
    struct finding f = diagnose_finding(t->w, t->a, SPACE_SHARED, t->lane, kind, t->at);
    struct sim_warp other = *t->w;
    other.id = thread / WARP_LANES;
    finding_log_place(&f.other, &other, thread % WARP_LANES);
    f.other.access = (uint8_t)access;
    f.second = 1;
    f.warp = other.id == t->w->id;
    f.strong = (uint8_t)t->strong;
    finding_log_add_race(t->w->block->worker->findings, &f, t->a->op, op < SHADOW_OPS ? op : UINT32_MAX, t->w->block,
                         &(struct occurrence){0});
}

// ---------------------------------------------------------------- one cell

// Reports a race of kind `kind` with the latest plain write in shadow cell i if that write is not ordered before the
// current access.
static void check_writer(struct touch *t, const struct shadow_cells *c, uint32_t i, enum finding_kind kind)
{
    uint32_t stamp = c->write_stamp[i], who = c->writer[i];
    if (stamp <= t->s->floor || ordered(t, stamp, STAMP_THREAD(who))) return;
    report(t, kind, STAMP_THREAD(who), STAMP_OP(who), ACCESS_WRITE);
}

// Reports a race between the current plain access and the latest strong (atomic or volatile) write in shadow cell i. If
// the current access writes (`writes` is 1), it is also checked against the latest strong read in shadow cell i.
static void check_strong(struct touch *t, const struct shadow_cells *c, uint32_t i, int writes)
{
    if (!c->strong_writer) return;
    uint32_t who = c->strong_writer[i];
    if (!ordered(t, c->strong_write_stamp[i], STAMP_THREAD(who))) {
        report(t, FINDING_race_atomic, STAMP_THREAD(who), STAMP_OP(who), ACCESS_ATOMIC);
    }
    who = c->strong_reader[i];
    if (writes && !ordered(t, c->strong_read_stamp[i], STAMP_THREAD(who))) {
        report(t, FINDING_race_war, STAMP_THREAD(who), STAMP_OP(who), ACCESS_READ);
    }
}

// Reports a race between two volatile accesses by lanes of one warp if neither access is ordered before the other. The
// section "Volatile data" of shadow.h explains why two volatile accesses can race although they are strong. `stamp` is
// the clock value of the earlier access, and `who` its thread and op (STAMP_ACCESS).
static void check_data(struct touch *t, uint32_t stamp, uint32_t who, enum finding_kind kind, enum access_kind access)
{
    if (!t->a->data || STAMP_WARP(who) != t->w->id || ordered(t, stamp, STAMP_THREAD(who))) return;
    t->strong = 1;
    report(t, kind, STAMP_THREAD(who), STAMP_OP(who), access);
}

// Returns the lanes in the reader mask of shadow cell i whose reads are not ordered before the current access.
static uint32_t unordered_lanes(const struct touch *t, const struct shadow_cells *c, uint32_t i)
{
    const struct sim_shadow *s = t->s;
    uint32_t mine = t->w->id, warp = STAMP_WARP_ACCESS_WARP(c->reader[i]), lanes = c->read_lanes[i],
             stamp = c->read_stamp[i];
    if (warp == mine) {
        lanes &= ~(1u << t->lane);
        if (stamp <= s->warp_floor[mine]) return 0;
    }
    if (s->warps_apart && stamp <= s->warp_known[mine][warp]) return 0;
    if (!lanes_differ(s, warp)) return lanes;
    const struct shadow_lane_stamps *wide = c->wide ? c->wide[i] : NULL;
    if (wide && wide->warp != warp) wide = NULL;
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        if (ordered(t, wide ? wide->stamp[l] : stamp, warp * WARP_LANES + l)) lanes &= ~(1u << l);
    }
    return lanes;
}

// Reports a race with the first reader in the list `more` of shadow cell i whose read is not ordered before the current
// access.
static void check_more_readers(struct touch *t, const struct shadow_cells *c, uint32_t i, enum finding_kind kind)
{
    const struct shadow_readers *more = c->more ? c->more[i] : NULL;
    for (uint32_t k = 0; more && k < more->count; k++) {
        if (ordered(t, more->stamp[k], STAMP_THREAD(more->who[k]))) continue;
        report(t, kind, STAMP_THREAD(more->who[k]), STAMP_OP(more->who[k]), ACCESS_READ);
        return;
    }
}

// Reports a race with a plain reader that shadow cell i holds, if its read is not ordered before the current access.
static void check_readers(struct touch *t, const struct shadow_cells *c, uint32_t i, enum finding_kind kind)
{
    const struct sim_shadow *s = t->s;
    if (c->read_stamp[i] > s->floor && c->read_lanes[i]) {
        uint32_t lanes = unordered_lanes(t, c, i), warp = STAMP_WARP_ACCESS_WARP(c->reader[i]);
        if (lanes)
            report(t, kind, warp * WARP_LANES + (uint32_t)__builtin_ctz(lanes), STAMP_WARP_ACCESS_OP(c->reader[i]),
                   ACCESS_READ);
    }
    if (!ordered(t, c->other_stamp[i], STAMP_THREAD(c->other[i]))) {
        report(t, kind, STAMP_THREAD(c->other[i]), STAMP_OP(c->other[i]), ACCESS_READ);
    }
    check_more_readers(t, c, i, kind);
}

// Records a plain reader in the list `more` of shadow cell i, because the fields `reader` and `other` of the cell
// already name readers of two different warps. Does nothing if barriers of the whole block are the only synchronisation
// between warps. If warps synchronise only by barriers of the whole block, a write that races with a further reader of
// the word also races with the reader in `reader` or in `other`.
static void record_more(const struct touch *t, struct shadow_cells *c, uint32_t i)
{
    const struct sim_shadow *s = t->s;
    if (!s->warps_apart && !s->sync) return;
    if (!c->more) c->more = alloc_zeroed(c->count, sizeof *c->more);
    if (!c->more[i]) c->more[i] = alloc_zeroed(1, sizeof *c->more[i]);
    struct shadow_readers *more = c->more[i];
    uint32_t n = 0;
    for (uint32_t k = 0; k < more->count; k++) { // drop the readers that are ordered before the new reader
        if (ordered(t, more->stamp[k], STAMP_THREAD(more->who[k]))) continue;
        more->stamp[n] = more->stamp[k];
        more->who[n++] = more->who[k];
    }
    if (n < SHADOW_READERS) {
        more->stamp[n] = s->clock;
        more->who[n++] = STAMP_ACCESS(shadow_op(t), t->thread);
    }
    more->count = n;
}

// Stores the clock value of the current lane's read in the array `wide` of shadow cell i, which has one clock value for
// each lane. Does nothing if every earlier access is ordered before all lanes of the warp or before none
// (lanes_differ() returns 0). If `anew` is 1, first discards the clock values of all earlier reads from the array
// `wide`.
static void record_wide(const struct touch *t, struct shadow_cells *c, uint32_t i, int anew)
{
    if (!lanes_differ(t->s, t->w->id)) return;
    if (!c->wide) c->wide = alloc_zeroed(c->count, sizeof *c->wide);
    if (!c->wide[i]) c->wide[i] = alloc_zeroed(1, sizeof *c->wide[i]);
    struct shadow_lane_stamps *wide = c->wide[i];
    if (anew || wide->warp != t->w->id) {
        memset(wide, 0, sizeof *wide);
        wide->warp = t->w->id;
        for (uint32_t left = anew ? 0 : c->read_lanes[i]; left; left &= left - 1) {
            wide->stamp[__builtin_ctz(left)] = c->read_stamp[i];
        }
    }
    wide->stamp[t->lane] = t->s->clock;
}

// Records the current plain read in the shadow cell i.
static void record_read(const struct touch *t, struct shadow_cells *c, uint32_t i)
{
    const struct sim_shadow *s = t->s;
    uint32_t mine = t->w->id, stamp = c->read_stamp[i], warp = STAMP_WARP_ACCESS_WARP(c->reader[i]), op = shadow_op(t);
    int replace = stamp <= s->floor || (s->warps_apart && stamp <= s->warp_known[mine][warp]);
    if (warp == mine && stamp <= s->warp_floor[mine]) replace = 1;
    if (!replace && s->sync && warp != mine && !unordered_lanes(t, c, i)) replace = 1;
    if (replace || warp == mine) {
        record_wide(t, c, i, replace);
        // The thread that wrote the word last is likely to write the word again. A race report about that thread's next
        // write should name another thread's read, so its own read does not replace the recorded op of another thread's
        // read.
        int keeps_op = !replace && STAMP_THREAD(c->writer[i]) == t->thread;
        c->read_lanes[i] = (replace ? 0 : c->read_lanes[i]) | 1u << t->lane;
        c->read_stamp[i] = s->clock;
        if (!keeps_op) c->reader[i] = STAMP_WARP_ACCESS(op, mine);
    } else if (ordered(t, c->other_stamp[i], STAMP_THREAD(c->other[i]))) {
        c->other_stamp[i] = s->clock;
        c->other[i] = STAMP_ACCESS(op, t->thread);
    } else {
        record_more(t, c, i);
    }
}

// Records the current plain write in the shadow cell i and removes all earlier accesses from the cell.
static void record_write(const struct touch *t, struct shadow_cells *c, uint32_t i)
{
    c->write_stamp[i] = t->s->clock;
    c->writer[i] = STAMP_ACCESS(shadow_op(t), t->thread);
    c->read_stamp[i] = c->other_stamp[i] = 0;
    if (t->a->async && (t->s->checks & CHECK_RACES)) c->write_stamp[i] = SHADOW_IN_FLIGHT;
    if (c->more && c->more[i]) c->more[i]->count = 0;
    if (c->strong_writer) c->strong_write_stamp[i] = c->strong_read_stamp[i] = 0;
}

// Records the current strong access in the shadow cell i: a write if `writes` is 1, otherwise a read.
static void record_strong(const struct touch *t, struct shadow_cells *c, uint32_t i, int writes)
{
    if (!c->strong_writer) {
        uint32_t **array[] = {&c->strong_write_stamp, &c->strong_writer, &c->strong_read_stamp, &c->strong_reader};
        for (int k = 0; k < 4; k++) *array[k] = alloc_zeroed(c->count, sizeof(uint32_t));
    }
    uint32_t who = STAMP_ACCESS(shadow_op(t), t->thread);
    t->s->strong = t->s->clock;
    if (writes) {
        c->strong_write_stamp[i] = t->s->clock;
        c->strong_writer[i] = who;
        if (c->write_stamp[i] < t->s->first_stamp) c->write_stamp[i] = t->s->first_stamp;
    } else {
        c->strong_read_stamp[i] = t->s->clock;
        c->strong_reader[i] = who;
    }
}

// Returns 1 if the current volatile read must not replace the strong read that shadow cell i holds. The strong read in
// shadow cell i stays there if it is not ordered before the current read and the current lane wrote the word last. The
// section "Volatile data" of shadow.h explains why a shadow cell keeps another lane's volatile read.
static int keeps_reader(const struct touch *t, const struct shadow_cells *c, uint32_t i)
{
    if (!t->a->data || !c->strong_writer || ordered(t, c->strong_read_stamp[i], STAMP_THREAD(c->strong_reader[i])))
        return 0;
    return STAMP_THREAD(c->strong_writer[i]) == t->thread || STAMP_THREAD(c->writer[i]) == t->thread;
}

// Checks the current lane's read of the word or byte of shadow cell i for races and records the read.
static void cell_read(struct touch *t, struct shadow_cells *c, uint32_t i)
{
    check_writer(t, c, i, FINDING_race_raw);
    if (sync_is_strong(t->a)) {
        if (c->strong_writer)
            check_data(t, c->strong_write_stamp[i], c->strong_writer[i], FINDING_race_raw, ACCESS_WRITE);
        if (!keeps_reader(t, c, i)) record_strong(t, c, i, 0);
        return;
    }
    check_strong(t, c, i, 0);
    record_read(t, c, i);
}

// Checks the current lane's write to the word or byte of shadow cell i for races and records the write. `same` is 1 if
// the stored bytes equal the bytes already in memory.
static void cell_write(struct touch *t, struct shadow_cells *c, uint32_t i, int same)
{
    check_readers(t, c, i, FINDING_race_war);
    if (!sync_is_strong(t->a)) check_strong(t, c, i, 1);
    check_writer(t, c, i,
                 same ? FINDING_race_same_value
                      : FINDING_race_waw); // checked last, because a race of equal values may be only a note
    if (!sync_is_strong(t->a)) {
        record_write(t, c, i);
        return;
    }
    if (c->strong_writer && !same)
        check_data(t, c->strong_read_stamp[i], c->strong_reader[i], FINDING_race_war, ACCESS_READ);
    record_strong(t, c, i, 1);
    if (t->a->data && same) c->strong_write_stamp[i] = 0; // the write does not change the value that readers see
}

// Checks the current lane's atomic on the word or byte of shadow cell i for races and records the atomic.
static void cell_atomic(struct touch *t, struct shadow_cells *c, uint32_t i)
{
    check_readers(t, c, i, FINDING_race_atomic);
    check_writer(t, c, i, FINDING_race_atomic);
    record_strong(t, c, i, 1);
}

// ---------------------------------------------------------------- words and their bytes

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
    if (to->wide && to->wide[i]) {
        free(to->wide[i]);
        to->wide[i] = NULL;
    }
    if (to->more && to->more[i]) to->more[i]->count = 0;
    if (from->more && from->more[k] && from->more[k]->count) {
        if (!to->more) to->more = alloc_zeroed(to->count, sizeof *to->more);
        if (!to->more[i]) to->more[i] = alloc_zeroed(1, sizeof *to->more[i]);
        *to->more[i] = *from->more[k];
    }
    if (from->wide && from->wide[k]) {
        if (!to->wide) to->wide = alloc_zeroed(to->count, sizeof *to->wide);
        to->wide[i] = alloc_zeroed(1, sizeof *to->wide[i]);
        *to->wide[i] = *from->wide[k];
    }
    if (to->strong_writer) to->strong_write_stamp[i] = to->strong_read_stamp[i] = 0;
    if (from->strong_writer && (from->strong_write_stamp[k] || from->strong_read_stamp[k])) {
        if (!to->strong_writer) {
            uint32_t **array[] = {&to->strong_write_stamp, &to->strong_writer, &to->strong_read_stamp,
                                  &to->strong_reader};
            for (int n = 0; n < 4; n++) *array[n] = alloc_zeroed(to->count, sizeof(uint32_t));
        }
        to->strong_write_stamp[i] = from->strong_write_stamp[k];
        to->strong_writer[i] = from->strong_writer[k];
        to->strong_read_stamp[i] = from->strong_read_stamp[k];
        to->strong_reader[i] = from->strong_reader[k];
    }
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
static void never_written(struct touch *t)
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

// Evaluates CALL for each shadow cell of the shared-memory bytes [from, to). If the access is narrower than a word
// (`bytes` < 4), FOR_CELLS first splits the word's shadow cell into four cells of one byte.
#define FOR_CELLS(s, from, to, bytes, CALL)                                                                            \
    for (uint32_t at_ = (from); at_ < (to);) {                                                                         \
        uint32_t word_ = at_ / 4;                                                                                      \
        if ((bytes) < 4) split_word(s, word_);                                                                         \
        int split_ = (s)->word.write_stamp[word_] == SHADOW_SPLIT;                                                     \
        struct shadow_cells *cells = split_ ? &(s)->byte : &(s)->word;                                                 \
        uint32_t cell = split_ ? at_ : word_;                                                                          \
        CALL;                                                                                                          \
        at_ += split_ ? 1 : 4;                                                                                         \
    }

uint64_t shadow_read(struct sim_warp *w, const struct sim_access *a, uint32_t lane, uint32_t at, int at_once)
{
    struct touch t = touch_of(w, a, lane, at);
    int unwritten = 0;
    FOR_CELLS(t.s, at, at + a->bytes, a->bytes, cell_read(&t, cells, cell))
    sync_read(w, a, SPACE_SHARED, lane, at);
    if (!(t.s->checks & CHECK_WRITTEN)) return 0;
    uint64_t bits = undefined_bits(t.s, at, a->bytes, &unwritten);
    if (!unwritten || !at_once) return bits;
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
    struct touch t = touch_of(w, a, lane, at);
    struct sim_shadow *s = t.s;
    for (uint32_t word = at / 4; undefined && word * 4 < at + a->bytes; word++) split_word(s, word);
    int same = memcmp(w->block->shared + at, fresh, a->bytes) == 0;
    if (a->async && (s->checks & CHECK_RACES)) {
        if (!s->copies) s->copies = copies_new(s->warps * WARP_LANES);
        copies_issue(s->copies, t.thread, at, a->bytes, a->op);
        same = same && is_repeated(s, at, a->bytes, a->op);
    }
    FOR_CELLS(s, at, at + a->bytes, a->bytes, cell_write(&t, cells, cell, same))
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
    struct touch t = touch_of(w, a, lane, at);
    int unwritten = 0;
    if (access_reads(a) && undefined_bits(t.s, at, a->bytes, &unwritten)) never_written(&t);
    shadow_mark_written(t.s, at, a->bytes);
    FOR_CELLS(t.s, at, at + a->bytes, a->bytes, cell_atomic(&t, cells, cell))
    sync_read(w, a, SPACE_SHARED, lane, at);
    if (!t.s->undefined) return;
    memset(t.s->undefined + at, 0, a->bytes);
}
