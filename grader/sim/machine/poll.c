// Finds lanes that poll memory, puts them to sleep, and wakes them.
//
// Theory of operation. A loop that waits for another thread reads the same words again and again, and leaves no other
// trace. If lanes come back to the head of a loop with the same values in all their registers, and changed no byte of
// memory on the way, they do the same for ever, until another thread changes a word that they read. Such lanes need not
// be executed: they go to sleep (SPLIT_ASLEEP) with a list of the words and of the values that they read. The
// comparison is exact. A loop that counts its rounds, looks at the clock or waits longer each time is never put to
// sleep, and is executed as any other.
//
// A probe makes the comparison. It begins after lanes have read strongly several times, or have used up a quantum. It
// waits for a backward branch, keeps a copy of the warp's registers at the branch's target, and compares when the lanes
// come by again. A loop within the waiting loop makes the state repeat only after several passages, so a probe looks at
// several. The copy is renewed at passages 1, 2, 4 and so on (Brent, "An improved Monte Carlo factorization algorithm",
// BIT 1980), because the first rounds may differ from those that repeat. A probe that changes memory, or that finds no
// repetition, ends, and the pause before the next one doubles. A probe also ends when other lanes of the warp run.
//
// Lanes that sleep are awake again when a word in their list holds another value. The block looks for that after each
// turn of one of its warps, and at the beginning of each of its own turns. If a word changes and changes back in the
// meantime, the lanes sleep on, as lanes on a device may miss both changes. Because nothing else depends on what lanes
// that sleep would do, a launch in which no thread can run except by waking one is a deadlock, however large it is.
//
// Limits. Words of global memory can be watched only while one host thread runs all blocks of the launch. Words that
// the host of a CUDA program can change while the kernel runs cannot be watched at all.
#include "sim/machine/poll.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/message.h"
#include "base/text.h"
#include "sim/core/access.h"
#include "sim/core/region.h"
#include "sim/machine/barrier.h"
#include "sim/machine/reach.h"
#include "sim/machine/undef.h"
#include "sim/machine/warp.h"

enum {
    WORDS = 256,        // most elements that the loop may read, over all lanes
    PASSAGES = 32,      // most passages of a loop's head in one probe
    OPS = 4096,         // most ops of one probe
    GAP_MOST = 1 << 12, // most occasions between two probes
    STORED = 8,         // most elements that a lane stores at a time
};

struct poll_word {
    const uint8_t *host;
    uint64_t value;
    uint32_t bytes;
};

// Lanes of a warp that sleep.
struct sleeper {
    struct sleeper *next;
    struct warp *warp;
    uint32_t mask, words;
    struct poll_word word[];
};

// The state of a warp's probe.
struct poll {
    uint32_t mask;               // lanes that are observed
    uint32_t anchor;             // op at which the copy was made; NO_OP: not yet
    const struct frame *frame;   // call frame at the anchor
    uint8_t *rows;               // the copy of the register file
    uint32_t passages, executed; // since the probe began
    uint32_t dirty;              // 1: something changed since the copy was made
    uint32_t reader;             // op of the first read since the copy was made
    uint32_t words;
    struct poll_word word[WORDS];
};
enum { NO_OP = 0xffffffffu };

// ---------------------------------------------------------------- reads

// Returns the host address of the bytes that a lane accesses, or NULL if they belong to no array. Stores their space,
// and whether the lane can wait for a change of them.
static uint8_t *place_of(const struct warp *w, const struct sim_memory_op *m, const struct sim_op *op, uint32_t lane,
                         uint32_t *space, int *watched)
{
    struct reach all[WARP_LANES], to;
    reach_lanes(w, m, op, 1u << lane, all);
    to = all[lane];
    const struct sim_region *r = to.region;
    int is_shared_with_host = r && r->owner < 0 && !r->block && r->buffer >= 0;
    *space = to.space;
    *watched =
        to.space == SPACE_SHARED || (r && w->memory.block->worker->launch->memory->serial && !is_shared_with_host);
    return to.host;
}

static uint64_t value_at(const uint8_t *host, uint32_t bytes)
{
    uint64_t value = 0;
    memcpy(&value, host, bytes);
    return value;
}

// Adds the elements that a lane reads to the list of words. Something that cannot be watched counts as a change.
static void read_by(struct warp *w, const struct sim_memory_op *m, const struct sim_op *op, uint32_t lane)
{
    struct poll *p = w->poll;
    uint32_t space;
    int watched;
    const uint8_t *host = place_of(w, m, op, lane, &space, &watched);
    if (space == SPACE_LOCAL || space == SPACE_CONST || space == SPACE_PARAM) return;
    if (!host || !watched || p->words + m->access.count > WORDS) {
        p->dirty = 1;
        return;
    }
    if (p->reader == NO_OP) p->reader = warp_op_index(w, op);
    for (uint32_t e = 0; e < m->access.count; e++, host += m->access.bytes)
        p->word[p->words++] = (struct poll_word){host, value_at(host, m->access.bytes), m->access.bytes};
}

// ---------------------------------------------------------------- the probe

static void forget_words(struct poll *p)
{
    p->dirty = p->words = 0;
    p->reader = NO_OP;
}

// Begins a probe of the lanes in `mask`.
static void begin(struct warp *w, uint32_t mask)
{
    if (!w->poll) {
        w->poll = alloc_zeroed(1, sizeof *w->poll);
        w->poll->rows = alloc_aligned(1, w->plan->file_bytes);
    }
    w->poll->mask = mask;
    w->poll->anchor = NO_OP;
    w->poll->passages = w->poll->executed = 0;
    forget_words(w->poll);
    w->probing = 1;
}

void poll_consider(struct warp *w)
{
    w->poll_due = 0;
    if (w->probing || w->current == NO_SPLIT || w->split[w->current].state != SPLIT_RUNNABLE) return;
    if (w->poll_pause) {
        w->poll_pause--;
        return;
    }
    begin(w, w->mask);
}

static void give_up(struct warp *w)
{
    w->probing = 0;
    w->poll_gap = w->poll_gap ? 2 * w->poll_gap : 1;
    if (w->poll_gap > GAP_MOST) w->poll_gap = GAP_MOST;
    w->poll_pause = w->poll_gap;
}

// Returns 1 for an op that does more than to compute, to access memory, to branch or to wait.
static int has_effect(const struct sim_op *op)
{
    return op->role == ROLE_ALLOCATE || op->role == ROLE_BARRIER_ARRIVE || op->role == ROLE_BARRIER_REDUCE ||
           op->role == ROLE_COPY_GROUP;
}

void poll_execute(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    struct poll *p = w->poll;
    const struct sim_memory_op *m = reach_memory_op(w, op);
    struct poll_word old[WARP_LANES * STORED];
    uint32_t on = warp_guard(w, op, mask), n = 0, space;
    size_t printed = w->memory.block->print->length;
    int watched;
    for (uint32_t left = m && m->access.kind != ACCESS_WRITE ? on : 0; left; left &= left - 1)
        read_by(w, m, op, (uint32_t)__builtin_ctz(left));
    for (uint32_t left = m && m->access.kind != ACCESS_READ ? on : 0; left; left &= left - 1) {
        const uint8_t *host = place_of(w, m, op, (uint32_t)__builtin_ctz(left), &space, &watched);
        if (!host) p->dirty = 1;
        for (uint32_t e = 0; host && e < m->access.count; e++, host += m->access.bytes)
            old[n++] = (struct poll_word){host, value_at(host, m->access.bytes), m->access.bytes};
    }
    if (w->nundef)
        undef_execute(w, op, mask);
    else
        op->run(w, op, mask);
    for (uint32_t k = 0; k < n; k++) p->dirty |= value_at(old[k].host, old[k].bytes) != old[k].value;
    p->dirty |= w->memory.block->print->length != printed || has_effect(op);
}

// Returns 1 if all words of the list still hold the values that were read.
static int unchanged(const struct poll_word *word, uint32_t words)
{
    for (uint32_t k = 0; k < words; k++)
        if (value_at(word[k].host, word[k].bytes) != word[k].value) return 0;
    return 1;
}

// Puts the lanes that run to sleep at op w->pc.
static void sleep_here(struct warp *w)
{
    struct poll *p = w->poll;
    struct sleeper *s = alloc_zeroed(1, sizeof *s + p->words * sizeof *s->word);
    s->warp = w;
    s->mask = p->mask;
    s->words = p->words;
    memcpy(s->word, p->word, p->words * sizeof *s->word);
    s->next = w->block->sleepers;
    w->block->sleepers = s;
    w->split[w->current].state = SPLIT_ASLEEP;
    w->split[w->current].pc = w->pc;
    w->split[w->current].polled = p->reader == NO_OP ? w->last_branch : p->reader;
    w->probing = 0;
    w->event = 1;
}

// Keeps a copy of the warp's state at op w->pc, to compare later states with.
static void copy(struct warp *w)
{
    struct poll *p = w->poll;
    memcpy(p->rows, w->rows, w->plan->file_bytes);
    p->anchor = w->pc;
    p->frame = w->frame;
    forget_words(p);
}

void poll_step(struct warp *w, uint32_t from)
{
    struct poll *p = w->poll;
    if (w->current == NO_SPLIT || w->split[w->current].state != SPLIT_RUNNABLE || w->mask != p->mask ||
        ++p->executed > OPS) {
        give_up(w);
        return;
    }
    if (p->anchor == NO_OP ? w->pc > from : w->pc != p->anchor) return;
    if (p->anchor != NO_OP && w->frame == p->frame && !p->dirty && unchanged(p->word, p->words) &&
        !memcmp(p->rows, w->rows, w->plan->file_bytes)) {
        sleep_here(w);
        return;
    }
    p->passages++;
    if ((p->anchor != NO_OP && p->dirty) || p->passages > PASSAGES)
        give_up(w);
    else if (!(p->passages & (p->passages - 1)))
        copy(w);
}

// ---------------------------------------------------------------- sleep

// Lets the lanes continue. They are observed again at once, because the change may not be the one for which they wait.
static void wake(struct sleeper *s)
{
    struct warp *w = s->warp;
    for (uint32_t k = 0; k < w->nsplits; k++)
        if (w->split[k].state == SPLIT_ASLEEP && w->split[k].mask == s->mask) w->split[k].state = SPLIT_RUNNABLE;
    w->poll_gap = w->poll_pause = 0;
    if (!w->probing) begin(w, s->mask);
}

void poll_wake(struct block *b)
{
    for (struct sleeper **at = &b->sleepers; *at;) {
        struct sleeper *s = *at;
        if (unchanged(s->word, s->words)) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        wake(s);
        free(s);
    }
}

void poll_forget(struct block *b)
{
    while (b->sleepers) {
        struct sleeper *next = b->sleepers->next;
        free(b->sleepers);
        b->sleepers = next;
    }
}

void poll_free(struct warp *w)
{
    if (w->poll) free(w->poll->rows);
    free(w->poll);
}

void poll_deadlock(struct block *b, const char *text)
{
    const struct sleeper *first = b->sleepers;
    for (const struct sleeper *s = first; s; s = s->next)
        if (s->warp->memory.id < first->warp->memory.id || !s->words) first = s;
    struct warp *w = first->warp;
    for (uint32_t k = 0; k < w->nsplits; k++) {
        struct split *s = &w->split[k];
        if (s->state != SPLIT_ASLEEP || s->mask != first->mask) continue;
        w->frame = s->frame; // so that the finding names the call in which the lanes wait
        if (first->words)
            barrier_report_deadlock(b, w, s->polled, (uint32_t)__builtin_ctz(s->mask), text);
        else
            warp_fault(w, FINDING_too_long, s->polled, (uint32_t)__builtin_ctz(s->mask),
                       N_("a loop repeats itself, and nothing that it computes or reads ever changes"), 0);
        return;
    }
}
