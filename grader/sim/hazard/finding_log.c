// Stores the findings of a launch in a hash table. The key of a finding consists of its kind, its ops (instructions),
// its memory space and its array. The header finding_log.h has the contracts of the functions. The table keeps its
// entries in the order in which the findings were added, so equal sequences of findings give equal tables. Each table
// entry keeps one occurrence of its finding as the example: the first one with the smallest block and thread index. The
// example of a finding therefore does not depend on how the blocks are distributed over the host threads.
#include "sim/hazard/finding_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "sim/core/program.h"

struct entry {
    struct finding finding;
    uint32_t op, other_op;
    struct occurrence first; // races only: the example; `array` NULL: unknown
};

enum { RECENT = 64 }; // a power of two

struct finding_log {
    struct entry *entry;
    uint32_t count, capacity;
    uint32_t step;           // step of a recording in which findings are found; 0: none
    uint32_t *slot;          // 1 + index of entry; 0: empty
    uint32_t slots;          // a power of two
    uint32_t recent[RECENT]; // 1 + index of the entry that got a race last, by a hash of its ops; 0: none
};

// The size of the kernel's code limits the number of combinations of finding kind, op and array. Once a log has
// ENTRIES_MAX entries, it drops each finding with a new combination of kind, op and array.
enum { ENTRIES_MAX = 1 << 16 };

struct finding_log *finding_log_new(void)
{
    struct finding_log *log = alloc_zeroed(1, sizeof *log);
    log->slots = 64;
    log->slot = alloc_zeroed(log->slots, sizeof *log->slot);
    return log;
}

void finding_log_free(struct finding_log *log)
{
    if (!log) return;
    free(log->entry);
    free(log->slot);
    free(log);
}

// Returns 1 if the log entry and the finding have the same kind, ops, memory space and array.
static int same_cause(const struct entry *e, const struct finding *f, uint32_t op, uint32_t other_op)
{
    return e->op == op && e->other_op == other_op && e->finding.kind == f->kind && e->finding.space == f->space &&
           e->finding.buffer == f->buffer && strcmp(e->finding.symbol, f->symbol) == 0;
}

// Returns the hash of the fields that identify a log entry, without the field `symbol`.
static uint64_t hash_of(const struct finding *f, uint32_t op, uint32_t other_op)
{
    uint32_t key[5] = {f->kind, f->space, (uint32_t)f->buffer, op, other_op};
    return hash_bytes(key, sizeof key, 0);
}

// Doubles the number of hash-table slots and inserts all log entries again.
static void grow_slots(struct finding_log *log)
{
    free(log->slot);
    log->slots *= 2;
    log->slot = alloc_zeroed(log->slots, sizeof *log->slot);
    for (uint32_t i = 0; i < log->count; i++) {
        const struct entry *e = &log->entry[i];
        uint64_t at = hash_of(&e->finding, e->op, e->other_op) & (log->slots - 1);
        while (log->slot[at]) at = (at + 1) & (log->slots - 1);
        log->slot[at] = i + 1;
    }
}

// Compares the places (block and thread) of two accesses by block index, then by thread index, each in the order z, y,
// x. Returns a negative number if place a comes first, 0 if the places are equal, and a positive number otherwise.
static int compare_places(const struct finding_place *a, const struct finding_place *b)
{
    for (int i = 2; i >= 0; i--) {
        if (a->block[i] != b->block[i]) return a->block[i] < b->block[i] ? -1 : 1;
    }
    for (int i = 2; i >= 0; i--) {
        if (a->thread[i] != b->thread[i]) return a->thread[i] < b->thread[i] ? -1 : 1;
    }
    return 0;
}

// Merges finding `more` into finding `into`: adds up the counts and keeps the example with the smaller block and thread
// index.
static void join(struct finding *into, const struct finding *more)
{
    uint64_t count = into->count + more->count;
    uint8_t warp = into->warp && more->warp;
    if (compare_places(&more->at, &into->at) < 0) *into = *more;
    into->count = count;
    into->warp = warp;
}

// Adds an occurrence as finding_log_add() does. Returns the entry, or NULL if the log has no room for it.
static struct entry *add(struct finding_log *log, const struct finding *f, uint32_t op, uint32_t other_op)
{
    uint64_t at = hash_of(f, op, other_op) & (log->slots - 1);
    struct finding found = *f;
    if (log->step) found.step = log->step;
    for (; log->slot[at]; at = (at + 1) & (log->slots - 1)) {
        struct entry *e = &log->entry[log->slot[at] - 1];
        if (!same_cause(e, f, op, other_op)) continue;
        join(&e->finding, &found);
        return e;
    }
    if (log->count >= ENTRIES_MAX) return NULL;
    ALLOC_GROW(log->entry, log->capacity, log->count + 1);
    struct entry *e = &log->entry[log->count];
    *e = (struct entry){found, op, other_op, {0}};
    if (!e->finding.count) e->finding.count = 1;
    log->slot[at] = ++log->count;
    if (log->count * 2 > log->slots) grow_slots(log);
    return e;
}

void finding_log_step(struct finding_log *log, uint32_t step)
{
    log->step = step;
}

uint32_t finding_log_count(const struct finding_log *log)
{
    return log->count;
}

void finding_log_add(struct finding_log *log, const struct finding *f, uint32_t op, uint32_t other_op)
{
    add(log, f, op, other_op);
}

// SITE_OPEN is the value of a finding's field `before` until the block passes its next barrier after the race. In the
// log, the field `after` of a race holds the op index, plus one, of the last barrier before the race. The field
// `before` of a race holds the op index, plus one, of the first barrier after the race. The function
// finding_log_write() replaces the op indices in `after` and `before` by line numbers.
enum { SITE_OPEN = 0xffffffff };

// Returns 1 if the block indices `a` and `b` (x, y, z) are equal.
static int same_block(const uint32_t a[3], const uint32_t b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static uint32_t *recent(struct finding_log *log, uint32_t op, uint32_t other_op)
{
    return &log->recent[(op * 31 + other_op) % RECENT];
}

int finding_log_repeat(struct finding_log *log, enum finding_kind kind, uint32_t op, uint32_t other_op, int warp,
                       const struct occurrence *now)
{
    uint32_t at = *recent(log, op, other_op);
    if (!at) return 0;
    struct entry *e = &log->entry[at - 1];
    const struct occurrence *first = &e->first;
    if (e->op != op || e->other_op != other_op || e->finding.kind != kind || first->array != now->array) return 0;
    if (now->block < first->block || (now->block == first->block && now->thread < first->thread)) return 0;
    e->finding.count++;
    e->finding.warp = e->finding.warp && warp;
    return 1;
}

void finding_log_add_race(struct finding_log *log, struct finding *f, uint32_t op, uint32_t other_op,
                          struct sim_block *block, const struct occurrence *now)
{
    if (same_block(f->at.block, f->other.block)) {
        f->epoch = 1;
        f->after = block->site;
        f->before = SITE_OPEN;
        block->races_reported = 1;
    }
    struct entry *e = add(log, f, op, other_op);
    if (!e || compare_places(&e->finding.at, &f->at)) return;
    e->first = *now;
    *recent(log, op, other_op) = (uint32_t)(e - log->entry) + 1;
}

void finding_log_barrier(struct finding_log *log, struct sim_block *block, uint32_t site)
{
    for (uint32_t i = 0; block->races_reported && i < log->count; i++) {
        struct finding *f = &log->entry[i].finding;
        if (f->epoch && f->before == SITE_OPEN && same_block(f->at.block, block->index)) f->before = site;
    }
    block->races_reported = 0;
    block->site = site;
}

// Returns 1 if the finding is a race that counts as a defect. A race between two stores of equal values does not count
// as a defect.
static int is_race(const struct finding *f)
{
    return f->kind == FINDING_race_raw || f->kind == FINDING_race_war || f->kind == FINDING_race_waw ||
           f->kind == FINDING_race_atomic;
}

int finding_log_has_races(const struct finding_log *log)
{
    for (uint32_t i = 0; i < log->count; i++)
        if (is_race(&log->entry[i].finding)) return 1;
    return 0;
}

void finding_log_unfenced(struct finding_log *kept, const struct finding_log *fenced)
{
    for (uint32_t i = 0; i < kept->count; i++) {
        struct entry *e = &kept->entry[i];
        uint32_t k = 0;
        while (k < fenced->count && !same_cause(&fenced->entry[k], &e->finding, e->op, e->other_op)) k++;
        e->finding.fence = is_race(&e->finding) && k == fenced->count;
    }
}

void finding_log_merge(struct finding_log *into, const struct finding_log *from)
{
    for (uint32_t i = 0; i < from->count; i++) {
        finding_log_add(into, &from->entry[i].finding, from->entry[i].op, from->entry[i].other_op);
    }
}

// Sets the source file, line and column in a struct finding_place to those of an op. The optimiser gives line 0 to an
// op that stands for several source positions. For an op with line 0, fill_place() takes the source position of the
// next op of the same function that has a line number.
static void fill_place(struct finding_place *place, const struct sim_program *program, uint32_t op)
{
    if (op >= program->nops) return;
    struct finding_place source = program_op_place(program, op);
    for (uint32_t k = op + 1; !source.line && k < program->nops && program->info[k].func == program->info[op].func; k++)
        source = program_op_place(program, k);
    place->file = source.file;
    place->line = source.line;
    place->path = source.path;
    place->column = source.column;
}

// Swaps the two accesses of a race between writes, or with an atomic, if the second access has the larger line number
// in the same source file. The order in which a report shows the two accesses of a race therefore does not depend on
// which access ran first.
static void face_down(struct finding *f)
{
    int symmetric = f->kind == FINDING_race_waw || f->kind == FINDING_race_atomic || f->kind == FINDING_race_same_value;
    if (!symmetric || !f->second || f->at.file != f->other.file || f->at.line >= f->other.line) return;
    struct finding_place place = f->at;
    f->at = f->other;
    f->other = place;
}

// Returns 1 if two findings describe the same defect in the same source lines. One source line can have many ops, for
// example after the compiler unrolled a loop.
static int same_lines(const struct finding *a, const struct finding *b)
{
    return a->kind == b->kind && a->space == b->space && a->buffer == b->buffer && a->second == b->second &&
           a->at.file == b->at.file && a->at.path == b->at.path && a->at.line == b->at.line &&
           a->other.path == b->other.path && a->other.line == b->other.line && strcmp(a->symbol, b->symbol) == 0;
}

// Orders findings for the report, the worst first: by severity, then by kind, then by file and line. Kinds of findings
// are numbered so that likely causes precede likely consequences.
static int by_weight(const void *x, const void *y)
{
    const struct finding *a = x, *b = y;
    int severity = (int)finding_info[b->kind].severity - (int)finding_info[a->kind].severity;
    if (severity) return severity;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (a->at.file != b->at.file) return a->at.file < b->at.file ? -1 : 1;
    if (a->at.line != b->at.line) return a->at.line < b->at.line ? -1 : 1;
    if (a->other.line != b->other.line) return a->other.line < b->other.line ? -1 : 1;
    if (a->buffer != b->buffer) return a->buffer < b->buffer ? -1 : 1;
    int name = strcmp(a->symbol, b->symbol);
    return name ? name : compare_places(&a->at, &b->at);
}

// Orders log entries by op, kind, memory space and array. Sorting by op gives an order that does not depend on which
// host thread added a log entry first.
static int by_op(const void *x, const void *y)
{
    const struct entry *a = x, *b = y;
    if (a->op != b->op) return a->op < b->op ? -1 : 1;
    if (a->other_op != b->other_op) return a->other_op < b->other_op ? -1 : 1;
    if (a->finding.kind != b->finding.kind) return a->finding.kind < b->finding.kind ? -1 : 1;
    if (a->finding.space != b->finding.space) return a->finding.space < b->finding.space ? -1 : 1;
    if (a->finding.buffer != b->finding.buffer) return a->finding.buffer < b->finding.buffer ? -1 : 1;
    return strcmp(a->finding.symbol, b->finding.symbol);
}

void finding_log_write(const struct finding_log *log, const struct sim_program *program, struct observation *o)
{
    struct finding *all = alloc_zeroed(log->count + 1, sizeof *all);
    uint32_t n = 0;
    struct entry *entry = alloc_zeroed(log->count + 1, sizeof *entry);
    if (log->count) memcpy(entry, log->entry, log->count * sizeof *entry);
    qsort(entry, log->count, sizeof *entry, by_op);
    for (uint32_t i = 0; i < log->count; i++) {
        struct finding f = entry[i].finding;
        fill_place(&f.at, program, entry[i].op);
        if (f.second) fill_place(&f.other, program, entry[i].other_op);
        f.after = f.after ? program_op_place(program, f.after - 1).line : 0;
        f.before = f.before && f.before != SITE_OPEN ? program_op_place(program, f.before - 1).line : 0;
        face_down(&f);
        int in_header = f.at.line && f.at.file != FILE_STUDENT;
        if (f.kind == FINDING_race_same_value && in_header) continue; // not in the student's code
        uint32_t k = 0;
        while (k < n && !same_lines(&all[k], &f)) k++;
        if (k < n)
            join(&all[k], &f);
        else
            all[n++] = f;
    }
    qsort(all, n, sizeof *all, by_weight);
    o->nfindings = n < OBSERVATION_FINDINGS ? n : OBSERVATION_FINDINGS;
    o->findings_dropped = n - o->nfindings;
    memcpy(o->finding, all, o->nfindings * sizeof *all);
    free(all);
    free(entry);
}

void finding_log_place(struct finding_place *place, const struct sim_warp *w, uint32_t lane)
{
    const uint32_t *size = w->block->worker->launch->request->block;
    uint32_t x = size[0] ? size[0] : 1, y = size[1] ? size[1] : 1;
    uint32_t thread = w->id * WARP_LANES + lane;
    for (int i = 0; i < 3; i++) place->block[i] = w->block->index[i];
    place->thread[0] = thread % x;
    place->thread[1] = thread / x % y;
    place->thread[2] = thread / x / y;
}
