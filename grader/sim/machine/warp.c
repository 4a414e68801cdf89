// Executes a warp: chooses a split (a group of lanes with one pc), executes ops up to the end of the basic block, and
// merges splits that converge.
//
// The inner loop of warp_run() only calls the handlers of ops (lowered instructions). A handler changes the flow of
// control through three fields of the warp. The field w->pc is the op at which the lanes that run continue. By setting
// the field w->end, a handler ends the current sequence of ops early. By setting the field w->event, a handler makes
// warp_run() choose again which group of lanes runs. Executed instructions are not counted one by one, but once for
// each sequence of consecutive ops (see struct op_tally).
//
// Lane jitter. If a launch asks for lane jitter, some lanes of a warp run ahead of the others for a while, at random
// times. Since Volta, devices do not promise that the lanes of a warp execute in lockstep. Letting random lanes run
// ahead finds kernels that rely on lockstep and would otherwise pass by luck. Even if lanes run ahead at random, the
// lanes of a warp wait for each other at aligned barriers, shuffles and other operations with a lane mask.
//
// Separate lanes. If a launch asks for separate lanes (APART_LANES), each warp has two groups of lanes that never
// merge. Of the two groups of separate lanes in a warp, one runs until it waits, yields or exits, and only then the
// other runs. The group that runs first therefore sees nothing of what the other group does, unless an operation makes
// it wait for that group. If the indices of two lanes differ in exactly one bit, the two lanes are in different groups.
// In each step of a tree reduction, and in a transfer between all lanes of a warp, values therefore go from one of the
// two groups of lanes to the other.
#include "sim/machine/warp.h"

#include "sim/core/warp.h"

#include <string.h>

#include "sim/hazard/finding_log.h"
#include "sim/hazard/origin.h"
#include "sim/machine/barrier.h"
#include "sim/machine/converge.h"
#include "sim/machine/frame.h"
#include "sim/machine/poll.h"
#include "sim/machine/undef.h"
#include "sim/timing/trace.h"

// Stores the warp's pc in the current split (group of lanes), if there is a current split that can run.
static void save_current(struct warp *w)
{
    if (w->current == NO_SPLIT) return;
    struct split *s = &w->split[w->current];
    if (s->state == SPLIT_RUNNABLE) s->pc = w->pc;
}

void warp_remove_split(struct warp *w, uint32_t split)
{
    uint32_t last = w->nsplits - 1;
    if (w->split[split].frame) frame_release(w, w->split[split].frame);
    if (w->current == split)
        w->current = NO_SPLIT;
    else if (w->current == last)
        w->current = split;
    w->split[split] = w->split[last];
    w->nsplits--;
}

// Merges runnable splits (groups of lanes) that have the same pc and equal call frames.
static void merge_splits(struct warp *w)
{
    for (uint32_t i = 0; i < w->nsplits; i++)
        for (uint32_t k = i + 1; k < w->nsplits;) {
            struct split *a = &w->split[i], *b = &w->split[k];
            int together = a->pc == b->pc && a->state == SPLIT_RUNNABLE && b->state == SPLIT_RUNNABLE;
            if (!together || !frame_same(a->frame, b->frame)) {
                k++;
                continue;
            }
            frame_merge(w, a->frame, b->frame, b->mask);
            a->mask |= b->mask;
            if (b->turn < a->turn) a->turn = b->turn;
            if (w->current == k) w->current = i;
            warp_remove_split(w, k);
        }
}

static uint32_t depth_of(const struct split *s)
{
    return s->frame ? s->frame->depth : 0;
}

// Chooses which runnable group of lanes of the warp runs next. Prefers the group of lanes that has used up the fewest
// quanta of instructions, then the smallest pc, then the deepest call. Returns 1, or 0 if no lanes of the warp can run.
static int pick(struct warp *w)
{
    save_current(w);
    if (w->nsplits > 1 && !w->separate) merge_splits(w);
    uint32_t best = NO_SPLIT;
    for (uint32_t i = 0; i < w->nsplits; i++) {
        const struct split *s = &w->split[i], *t = best == NO_SPLIT ? NULL : &w->split[best];
        if (s->state != SPLIT_RUNNABLE) continue;
        if (!t || s->turn < t->turn ||
            (s->turn == t->turn && (s->pc < t->pc || (s->pc == t->pc && depth_of(s) > depth_of(t)))))
            best = i;
    }
    w->event = 0;
    w->current = best;
    if (best == NO_SPLIT) return 0;
    if (w->nsplits == 1) w->split[0].turn = 0;
    w->pc = w->split[best].pc;
    w->mask = w->split[best].mask;
    w->frame = w->split[best].frame;
    return 1;
}

// Lets all other runnable groups of lanes of the warp run before the current group, which has used up its quantum of
// instructions or yields. Returns the number of the warp's runnable groups of lanes, not counting the current group.
static uint32_t give_turn(struct warp *w)
{
    uint32_t most = 0, others = 0;
    for (uint32_t i = 0; i < w->nsplits; i++) {
        if (w->split[i].state != SPLIT_RUNNABLE || i == w->current) continue;
        others++;
        if (w->split[i].turn > most) most = w->split[i].turn;
    }
    if (!others) return 0;
    w->split[w->current].turn = most + 1;
    w->preempted = 1;
    return others;
}

// Divides the current group of lanes into two groups at random if w->jitter_in, the number of ops until the next
// division, has reached 0. After a division, stores in *left how many instructions the first group runs ahead of the
// second. Returns the number of ops that may run before the next division, at most `length`.
static uint32_t jitter_run(struct warp *w, uint32_t length, int64_t *left)
{
    enum { PAUSES = 12, AHEAD_MOST = 64 };
    if (!w->jitter_in) {
        uint32_t some = w->mask & prng_u32(&w->jitter);
        if (some && some != w->mask) {
            warp_split(w, some, w->pc);
            w->split[w->nsplits - 1].turn++;
            w->preempted = 1;
            *left = 1 + prng_below(&w->jitter, AHEAD_MOST);
        }
        w->jitter_in = 1u << prng_below(&w->jitter, PAUSES);
    }
    if (length > w->jitter_in) length = w->jitter_in;
    w->jitter_in -= length;
    return length;
}

// Counts a run of consecutive ops, from `start` to before `end`, that the lanes in `mask` have executed.
static inline void count_run(struct warp *w, const struct sim_op *start, const struct sim_op *end, uint32_t mask)
{
    struct op_tally *in = &w->tally[start - w->ops], *out = &w->tally[end - w->ops];
    int64_t lanes = mask == ALL_LANES ? WARP_LANES : __builtin_popcount(mask);
    if (w->memory.trace) trace_run(w->memory.trace, (uint32_t)(start - w->ops), (uint32_t)(end - start));
    in->warps++;
    in->lanes += lanes;
    out->warps--;
    out->lanes -= lanes;
    w->memory.executed += (uint64_t)(end - start);
    w->memory.run = UINT32_MAX;
}

// Executes ops up to w->end in a block that is watched. Returns the op after the last one.
static const struct sim_op *run_watched(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    struct sim_watcher *watcher = w->block->watcher;
    do {
        watcher->before(watcher, w, op, mask);
        if (w->probing)
            poll_execute(w, op, mask);
        else if (w->nundef)
            undef_execute(w, op, mask);
        else
            op->run(w, op, mask);
        watcher->after(watcher, w, op, mask);
    } while (++op < w->end);
    return op;
}

// Returns 1 if lanes of the warp sleep.
static int is_asleep(const struct warp *w)
{
    for (uint32_t i = 0; i < w->nsplits; i++)
        if (w->split[i].state == SPLIT_ASLEEP) return 1;
    return 0;
}

uint64_t warp_run(struct warp *w, uint64_t fuel)
{
    uint64_t used = 0;
    int64_t quantum = w->separate ? INT64_MAX : SPLIT_QUANTUM, left = quantum;
    uint32_t before = NO_SPLIT, yielded = 0;
    w->event = 1;
    w->yields = w->all_yielded = 0;
    while (!w->block->stopped) {
        if (w->event) {
            if (!pick(w)) {
                w->event = !is_asleep(w) && barrier_unpark(w);
                if (w->event) continue;
                break;
            }
            if (w->current != before) left = quantum;
            before = w->current;
        }
        const struct sim_op *op = w->ops + w->pc, *start = op;
        uint32_t length = w->has_jitter && !w->probing ? jitter_run(w, op->length, &left) : op->length;
        uint32_t mask = w->mask;
        w->end = op + length;
        w->memory.run = w->pc;
        w->pc += length;
        if (w->block->watcher)
            op = run_watched(w, op, mask);
        else if (w->probing)
            do poll_execute(w, op, mask);
            while (++op < w->end);
        else if (!w->nundef)
            do op->run(w, op, mask);
            while (++op < w->end);
        else
            do undef_execute(w, op, mask);
            while (++op < w->end);
        uint64_t n = (uint64_t)(op - start);
        count_run(w, start, op, mask);
        used += n;
        if (w->probing) poll_step(w, (uint32_t)(start - w->ops));
        if (used >= fuel) {
            w->poll_due |= used >= WARP_QUANTUM;
            break;
        }
        if (w->poll_due) poll_consider(w);
        if (w->yields) { // when every split has yielded, the next warp runs
            w->yields = 0;
            w->all_yielded = ++yielded > give_turn(w);
            if (w->all_yielded) break;
        }
        if (w->nsplits > 1) {
            left -= (int64_t)n;
            w->event = 1;
            if (left < 0 && w->current != NO_SPLIT) {
                give_turn(w);
                left = quantum;
            }
        }
    }
    save_current(w);
    w->current = NO_SPLIT; // a barrier may change the split's pc before the next call of warp_run()
    return used;
}

void warp_begin(struct warp *w, struct block *block, uint32_t id, uint32_t live)
{
    w->block = block;
    w->memory.block = &block->memory;
    w->memory.id = id;
    w->memory.phase = 0;
    w->memory.live = w->initial = live;
    w->nsplits = 1;
    w->current = NO_SPLIT;
    w->split[0] = (struct split){.pc = w->plan->entry_op, .mask = live};
    w->memory.executed = w->slept = 0;
    w->memory.before = (struct sim_path){.waiting = block->memory.start};
    w->memory.run = UINT32_MAX;
    w->polls = 0;
    w->preempted = w->has_jitter = w->separate = 0;
    w->probing = w->poll_due = w->poll_pause = w->poll_gap = 0;
    w->mixed = w->unmixed[0] = w->unmixed[1] = 0;
    w->frame = NULL;
    w->last_branch = w->plan->entry_op;
    if (w->nundef) memset(w->undef, 0, w->plan->nregs * sizeof *w->undef);
    w->nundef = 0;
    origin_forget(&w->memory);
}

void warp_jitter(struct warp *w, uint64_t seed)
{
    w->has_jitter = 1;
    w->jitter_in = 0;
    w->jitter = (struct prng){seed};
}

void warp_separate(struct warp *w, uint32_t backwards)
{
    const uint32_t odd = 0x96696996; // lanes whose index has an odd number of ones
    w->separate = 1;
    w->nsplits = 0;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t mask = w->initial & (i == backwards ? ~odd : odd);
        if (mask) w->split[w->nsplits++] = (struct split){.pc = w->plan->entry_op, .mask = mask, .turn = i};
    }
}

void warp_abandon(struct warp *w)
{
    w->current = NO_SPLIT;
    while (w->nsplits) warp_remove_split(w, w->nsplits - 1);
    w->memory.live = 0;
}

void warp_split(struct warp *w, uint32_t mask, uint32_t others_pc)
{
    uint32_t others = w->mask & ~mask;
    if (!others) return;
    struct split *s = &w->split[w->current];
    w->split[w->nsplits++] = (struct split){.pc = others_pc, .mask = others, .turn = s->turn, .frame = s->frame};
    if (s->frame) s->frame->references++;
    s->mask = w->mask = mask;
    w->event = 1;
}

void warp_exit(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    warp_split(w, mask, warp_op_index(w, op) + 1);
    w->memory.live &= ~mask;
    warp_remove_split(w, w->current);
    warp_stop(w, op, w->pc);
    w->block->changed = 1;
    if (!w->memory.live)
        w->block->live_warps--;
    else
        converge_retry(w, 0);
}

// ---------------------------------------------------------------- findings

// Returns a new finding that occurred once, with the thread index and block index of the lane.
static struct finding new_finding(struct warp *w, uint32_t kind, uint32_t lane, const char *text, uint64_t value)
{
    struct finding f = {.kind = (uint16_t)kind, .buffer = -1, .value = value, .count = 1};
    finding_log_place(&f.at, &w->memory, lane);
    if (text) {
        strncpy(f.text, text, sizeof f.text - 1);
        f.text[sizeof f.text - 1] = 0;
    }
    return f;
}

void warp_finding(struct warp *w, uint32_t kind, uint32_t op, uint32_t lane, const char *text, uint64_t value,
                  uint32_t second)
{
    struct finding f = new_finding(w, kind, lane, text, value);
    if (kind == FINDING_never_written) {
        f.space = SPACE_REGISTER;
        f.at.access = ACCESS_READ;
    }
    if (second != UINT32_MAX) {
        f.second = 1;
        f.other = f.at;
    }
    finding_log_add(w->memory.block->worker->findings, &f, frame_site(w, op), second);
}

// Adds the finding to the log of the worker (the host thread that runs the block), and ends the launch.
static void stop(struct warp *w, const struct finding *f, uint32_t op)
{
    finding_log_add(w->memory.block->worker->findings, f, frame_site(w, op), UINT32_MAX);
    w->block->stopped = 1;
    w->event = 1;
    w->end = w->ops; // ends the current run of ops
}

void warp_fault(struct warp *w, uint32_t kind, uint32_t op, uint32_t lane, const char *text, uint64_t value)
{
    struct finding f = new_finding(w, kind, lane, text, value);
    stop(w, &f, op);
}

void warp_deadlock(struct warp *w, uint32_t op, uint32_t lane, const char *text, const struct finding_wait *wait,
                   uint32_t waits)
{
    struct finding f = new_finding(w, FINDING_deadlock, lane, text, 0);
    memcpy(f.wait, wait, waits * sizeof *wait);
    f.waits = waits;
    stop(w, &f, op);
}
