// Executes the barriers of a block: bar.sync, bar.red and bar.arrive.
//
// Theory of operation. Threads arrive at a barrier one by one, as on devices since Volta. A split (a group of lanes
// with one pc) that arrives at a barrier waits in the state SPLIT_AT_BARRIER. When lanes arrive or exit,
// barrier_check() tests whether the barrier is complete. A barrier without a thread count is complete when all live
// threads of the block have arrived. A barrier with a thread count is complete when the given number of threads has
// arrived. At a barrier with a thread count, a warp counts as 32 threads if all its live lanes have arrived.
//
// If only some lanes of a warp reach an aligned barrier (bar.sync), barrier.c adds a finding, with the following
// exceptions. Divergence at an aligned barrier is no finding if the lanes that do not reach it exit without a memory
// access, a barrier or a conditional branch. Divergence at an aligned barrier is no finding yet if the simulator
// preempted lanes of the warp, because the preemption alone may have separated the lanes. Divergence at an aligned
// barrier is also no finding yet if every path of the warp's other lanes leads to the barrier, for example from a
// loop's body to a barrier at the loop's head. If every path of the other lanes leads to the barrier, a device lets the
// lanes of the warp converge before the barrier. Until it is clear whether divergence at an aligned barrier is a
// finding, the lanes that have reached the barrier are parked, i.e. wait in front of the barrier. Parked lanes wait in
// front of the barrier without arriving at it. Lanes that wait in front of an aligned barrier arrive at the barrier
// when the warp's other lanes reach it, or when no other lane of the warp can continue.
//
// Lanes that ran ahead after a preemption may be one loop iteration ahead of the other lanes of their warp. Lanes that
// are one iteration ahead may converge with the other lanes at the loop's head and diverge again at the loop's
// condition, as in divergent code. After a preemption, the field warp.preempted therefore stays 1 until all lanes of
// the warp arrive at one barrier.
//
// A caller can ask for a launch that leaves out all barriers of its blocks (engine_launch.without). In a launch that
// leaves out all barriers, no thread waits at a barrier, and bar.red combines only the predicates of the lanes that
// execute it at the same time.
#include "sim/machine/barrier.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/message.h"
#include "sim/core/warp.h"
#include "sim/hazard/finding_log.h"
#include "sim/hazard/shadow.h"
#include "sim/machine/block_memory.h"
#include "sim/machine/converge.h"
#include "sim/machine/frame.h"
#include "sim/machine/warp.h"
#include "sim/timing/trace.h"
#include "sim/timing/waits.h"

static int checks_barriers(const struct warp *w)
{
    return (w->memory.block->worker->launch->checks & CHECK_RACES) != 0;
}

// Returns 1 if lanes that continue at `pc` in the call frame `frame` exit without a memory access, a barrier or a
// conditional branch. Returns 0 if the lanes have not exited after 64 ops from `pc` on.
static int only_exit(const struct warp *w, uint32_t pc, const struct frame *frame)
{
    for (int steps = 0; steps < 64; steps++) {
        const struct sim_op *op = &w->ops[pc];
        if (op->guard) return 0;
        if (op->role == ROLE_EXIT) return 1;
        if (op->role == ROLE_BRANCH) {
            pc = op->f;
        } else if (op->role == ROLE_RETURN) {
            if (!frame) return 1;
            pc = frame->call + 1;
            frame = frame->parent;
        } else if (op->role == ROLE_NOP || (op->ndests && op->required == REQUIRED_NONE)) {
            pc++; // an arithmetic op or a move
        } else {
            return 0;
        }
    }
    return 0;
}

// Merges the groups of lanes that wait in front of the aligned barrier at op `here` (SPLIT_PARKED) into the current
// group of lanes. Returns a mask of the lanes in the merged group.
static uint32_t absorb_parked(struct warp *w, uint32_t here)
{
    uint32_t mask = w->mask;
    for (uint32_t i = 0; i < w->nsplits;) {
        struct split *s = &w->split[i];
        if (s->state != SPLIT_PARKED || s->pc != here || !frame_same(s->frame, w->frame)) {
            i++;
            continue;
        }
        frame_merge(w, w->frame, s->frame, s->mask);
        mask |= s->mask;
        warp_remove_split(w, i);
    }
    w->split[w->current].mask = w->mask = mask;
    return mask;
}

// Returns the index of a split (a group of lanes) other than `self` that is not about to exit, or NO_SPLIT if the warp
// has none.
static uint32_t split_elsewhere(const struct warp *w, uint32_t self)
{
    for (uint32_t i = 0; i < w->nsplits; i++)
        if (i != self && !(w->split[i].state == SPLIT_RUNNABLE && only_exit(w, w->split[i].pc, w->split[i].frame)))
            return i;
    return NO_SPLIT;
}

// Returns 1 if every path from op `from` through the code of its function leads to op `to`. If leads_to() returns 1,
// lanes that continue at `from` reach `to` unless they loop for ever. A path that ends the thread, returns or uses a
// branch table (brx) counts as a path that does not lead to `to`.
static int leads_to(const struct warp *w, uint32_t from, uint32_t to)
{
    uint32_t nops = w->memory.block->worker->launch->nops, count = 0;
    uint32_t *open = alloc_array(2 * (size_t)nops + 1, sizeof *open); // an op is closed once and opens at most two ops
    uint8_t *seen = alloc_zeroed(nops + 1, 1);
    int leads = 1;
    for (open[count++] = from; count && leads;) {
        uint32_t pc = open[--count];
        if (pc == to || seen[pc]) continue;
        seen[pc] = 1;
        const struct sim_op *op = &w->ops[pc];
        int ends = op->role == ROLE_EXIT || op->role == ROLE_RETURN || op->role == ROLE_BRANCH_TABLE;
        if (ends || pc + 1 >= nops) leads = 0;
        if (leads && op->role == ROLE_BRANCH && !seen[op->f]) open[count++] = op->f;
        if (leads && (op->role != ROLE_BRANCH || op->guard) && !seen[pc + 1]) open[count++] = pc + 1;
    }
    free(open);
    free(seen);
    return leads;
}

// Returns 1 if the lanes of split `s`, as long as they keep running, are sure to reach the aligned barrier at op `here`
// in the call frame of the current split. The result of leads_to() is cached, because comes_here() is often called for
// the same two ops in each iteration of a loop.
static int comes_here(struct warp *w, const struct split *s, uint32_t here)
{
    uint32_t pc = s->pc, depth = w->frame ? w->frame->depth : 0;
    const struct frame *frame = s->frame;
    for (; frame && frame->depth > depth; frame = frame->parent) pc = frame->call + 1;
    if ((s->state != SPLIT_RUNNABLE && s->state != SPLIT_AT_WARP_OP && s->state != SPLIT_ASLEEP) ||
        !frame_same(frame, w->frame))
        return 0;
    struct barrier_path *known = &w->block->path[(pc * 31 + here) % BARRIER_PATHS];
    if (known->from != pc || known->to != here + 1) *known = (struct barrier_path){pc, here + 1, leads_to(w, pc, here)};
    return known->leads;
}

// Returns 1 if all other lanes of the warp, apart from lanes that are about to exit, are sure to reach the aligned
// barrier at op `here`.
static int others_come(struct warp *w, uint32_t here)
{
    for (uint32_t i = 0; i < w->nsplits; i++) {
        const struct split *s = &w->split[i];
        if (i == w->current || (s->state == SPLIT_RUNNABLE && only_exit(w, s->pc, s->frame))) continue;
        if (!comes_here(w, s, here)) return 0;
    }
    return 1;
}

// Adds the finding that only some lanes of the warp reach the aligned barrier at op `here`. The finding names op
// `here`, which the lanes of w->split[self] have reached, and the op at which the lanes of w->split[other] continue.
static void report_divergent(struct warp *w, uint32_t here, uint32_t self, uint32_t other)
{
    uint32_t mask = w->split[self].mask;
    warp_finding(w, FINDING_barrier_divergent, here, (uint32_t)__builtin_ctz(mask), NULL, w->memory.live & ~mask,
                 w->split[other].pc);
}

// Returns 1 if ops a and b are the same barrier of the source: the same op, or the same file, line and column. Loop
// unrolling makes several ops from one barrier of the source.
static int same_place(const struct warp *w, uint32_t a, uint32_t b)
{
    if (a == b) return 1;
    const struct sim_program *p = w->memory.block->worker->launch->program;
    struct finding_place x = program_op_place(p, a), y = program_op_place(p, b);
    return x.line && x.file == y.file && x.line == y.line && x.column == y.column;
}

// Returns the number of threads that a barrier with the thread count `count` waits for. A thread count of 0 stands for
// all threads of the block, rounded up to whole warps.
static uint32_t threads_of(const struct warp *w, uint32_t count)
{
    return count ? count : (w->memory.block->worker->launch->threads + WARP_LANES - 1) / WARP_LANES * WARP_LANES;
}

// Records that the lanes in `mask` reached barrier `id` at op `here`, and returns the barrier. All threads at a barrier
// must give the same thread count; a different count ends the launch with a finding.
static struct barrier *come(struct warp *w, uint32_t id, uint32_t expected, uint32_t here, uint32_t mask)
{
    struct barrier *b = &w->block->barrier[id];
    if (b->op && threads_of(w, b->expected) != threads_of(w, expected))
        warp_fault(w, FINDING_deadlock, here, (uint32_t)__builtin_ctz(mask),
                   N_("barrier for another number of threads than those have named who wait at it"), id);
    if (!b->op) b->site = frame_site(w, here) + 1;
    if (!b->op) b->op = here + 1;
    b->expected = expected;
    w->block->open |= 1u << id;
    w->block->changed = 1;
    w->memory.block->worker->op[here].block_barriers++;
    waits_longer(&b->path, waits_path(&w->memory, here));
    return b;
}

// Makes a split (a group of lanes) wait at barrier `id`. Adds a finding if threads of the block wait at different
// barriers of the source.
static void arrive(struct warp *w, uint32_t split, uint32_t id, uint32_t expected, uint32_t here)
{
    struct barrier *b = &w->block->barrier[id];
    struct split *s = &w->split[split];
    uint32_t lane = (uint32_t)__builtin_ctz(s->mask);
    if (b->op && !b->mismatch && id == 0 && !expected && checks_barriers(w) && !same_place(w, b->op - 1, here)) {
        warp_finding(w, FINDING_barrier_mismatch, here, lane, NULL, 0, b->op - 1);
        b->mismatch = 1;
    }
    come(w, id, expected, here, s->mask)->arrived[w->memory.id] |= s->mask;
    if (s->mask == w->memory.live) w->preempted = 0;
    s->state = SPLIT_AT_BARRIER;
    s->barrier = (uint8_t)id;
    s->pc = here;
}

// Reads the barrier's number (*id, 0 to 15) and thread count (*count, 0: none given) from the first lane of `mask`.
// Returns 1; if the barrier's number or thread count is invalid, adds a finding and returns 0.
static int operands(struct warp *w, const struct sim_op *op, uint32_t mask, uint32_t *id, uint32_t *count)
{
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    *id = warp_row(w, op->a)[lane];
    *count = op->b ? warp_row(w, op->b)[lane] : 0;
    const char *wrong = *id >= BARRIERS        ? N_("barrier number above 15")
                        : op->b && !*count     ? N_("barrier for no threads")
                        : op->b && *count % 32 ? N_("barrier for a number of threads that is no multiple of 32")
                                               : NULL;
    if (wrong) warp_fault(w, FINDING_deadlock, warp_op_index(w, op), lane, wrong, *id);
    return !wrong;
}

// Records that the lanes in `mask` arrive at barrier `id` by bar.arrive. Lanes that execute bar.arrive do not wait at
// the barrier.
static void pass(struct warp *w, uint32_t here, uint32_t mask, uint32_t id, uint32_t expected)
{
    come(w, id, expected, here, mask)->passed +=
        mask == w->memory.live ? WARP_LANES : (uint32_t)__builtin_popcount(mask);
    shadow_named_arrive(&w->block->memory, id, w->memory.id);
}

// Parks the current group of lanes in front of the aligned barrier at op `here` (SPLIT_PARKED), to wait for the warp's
// other lanes.
static void park(struct warp *w, const struct sim_op *op, uint32_t here)
{
    struct split *s = &w->split[w->current];
    s->state = SPLIT_PARKED;
    s->pc = here;
    warp_stop(w, op, here);
}

// Executes bar.sync or bar.red for the lanes in `mask`: makes the lanes arrive at the barrier, or wait in front of an
// aligned barrier for the warp's other lanes.
static void wait_here(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint32_t here = warp_op_index(w, op), id, count;
    if (!operands(w, op, mask, &id, &count)) return;
    warp_split(w, mask, here + 1);
    mask = absorb_parked(w, here);
    warp_stop(w, op, here);
    uint32_t other = op->mode & 1 && mask != w->memory.live ? split_elsewhere(w, w->current) : NO_SPLIT;
    if (other != NO_SPLIT && (w->preempted || others_come(w, here))) {
        park(w, op, here);
        return;
    }
    if (other != NO_SPLIT && checks_barriers(w)) report_divergent(w, here, w->current, other);
    arrive(w, w->current, id, count, here);
}

// Stores the result of bar.red at `op` in the instruction's destination register, for the lanes in `mask`.
static void give_result(struct warp *w, const struct sim_op *op, uint32_t mask, uint32_t popc, int any, int all)
{
    uint32_t boolop = op->mode >> 1;
    if (boolop == PTX_BOOL_POPC) {
        uint32_t *d = warp_row(w, op->d);
        for (uint32_t i = 0; i < WARP_LANES; i++)
            if (mask >> i & 1) d[i] = popc;
        return;
    }
    uint32_t *d = warp_pred(w, op->d), bits = (boolop == PTX_BOOL_AND ? all : any) ? mask : 0;
    *d = (*d & ~mask) | bits;
}

static int left_out(const struct warp *w)
{
    return (w->memory.block->worker->launch->request->without & WITHOUT_BLOCK_BARRIERS) != 0;
}

void barrier_sync(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    if (!left_out(w)) wait_here(w, op, mask);
}

void barrier_red(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint32_t id, count;
    if (!operands(w, op, mask, &id, &count)) return;
    if (!left_out(w)) {
        wait_here(w, op, mask);
        return;
    }
    uint32_t yes = *warp_pred(w, op->c) & mask;
    give_result(w, op, mask, (uint32_t)__builtin_popcount(yes), yes != 0, yes == mask);
}

void barrier_arrive(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint32_t id, count, here = warp_op_index(w, op);
    if (left_out(w) || !operands(w, op, mask, &id, &count)) return;
    warp_split(w, mask, here + 1);
    mask = absorb_parked(w, here);
    int together = !(op->mode & 1) || mask == w->memory.live || !(w->preempted || others_come(w, here));
    if (!together && split_elsewhere(w, w->current) != NO_SPLIT) {
        park(w, op, here);
        return;
    }
    pass(w, here, mask, id, count);
    warp_stop(w, op, here + 1); // ends the run of ops, so that barrier_check() is called soon
}

// ---------------------------------------------------------------- completion

// Returns 1 if all threads for which barrier r waits have arrived.
static int complete(const struct block *b, const struct barrier *r)
{
    uint64_t threads = r->passed;
    int any = r->passed != 0;
    for (uint32_t k = 0; k < b->nwarps; k++) {
        uint32_t live = b->warp[k].memory.live, there = r->arrived[k];
        if (there) any = 1;
        if (!r->expected && (live & ~there)) return 0;
        if (r->expected) threads += there && there == live ? WARP_LANES : (uint32_t)__builtin_popcount(there);
    }
    return any && (!r->expected || threads >= r->expected);
}

// Computes the results of bar.red over all threads that wait at barrier `id`: the number of true predicates, whether
// any predicate is true, and whether all are true.
static void reduce(struct block *b, const struct barrier *r, uint32_t id, uint32_t *popc, int *any, int *all)
{
    *popc = 0;
    *any = 0;
    *all = 1;
    for (uint32_t k = 0; k < b->nwarps; k++) {
        struct warp *w = &b->warp[k];
        for (uint32_t i = 0; i < w->nsplits && r->arrived[k]; i++) {
            const struct split *s = &w->split[i];
            if (s->state != SPLIT_AT_BARRIER || s->barrier != id) continue;
            const struct sim_op *op = &w->ops[s->pc];
            if (op->role != ROLE_BARRIER_REDUCE) continue;
            uint32_t p = *warp_pred(w, op->c) & s->mask;
            *popc += (uint32_t)__builtin_popcount(p);
            *any |= p != 0;
            *all &= p == s->mask;
        }
    }
}

// Makes the warps that waited at a barrier go on after the last arrival. The replay knows of no other barriers than
// those of a whole block.
static void let_go_on(struct block *b, const struct barrier *r, int whole)
{
    struct sim_path path = r->path;
    if (!whole) path.alone = 0;
    for (uint32_t k = 0; k < b->nwarps; k++)
        if (r->arrived[k]) waits_until(&b->warp[k].memory, UINT32_MAX, path);
}

// Lets the threads that wait at barrier `id` continue, and resets the barrier. Tells the race check that the barrier
// orders the accesses of the released threads.
static void release(struct block *b, uint32_t id)
{
    struct barrier *r = &b->barrier[id];
    uint32_t popc, warps = 0, left = 0;
    int any, all, whole = 1;
    reduce(b, r, id, &popc, &any, &all);
    // A barrier with a count below the block's size orders only the threads that arrived, even if all others exited.
    if (r->expected && r->expected < b->memory.worker->launch->threads) whole = 0;
    for (uint32_t k = 0; k < b->nwarps; k++) {
        struct warp *w = &b->warp[k];
        if (w->memory.live & ~r->arrived[k]) whole = 0;
        left += (uint32_t)__builtin_popcount(w->initial & ~w->memory.live);
        if (r->arrived[k]) warps |= 1u << k;
        for (uint32_t i = 0; i < w->nsplits && r->arrived[k]; i++) {
            struct split *s = &w->split[i];
            if (s->state != SPLIT_AT_BARRIER || s->barrier != id) continue;
            if (w->ops[s->pc].role == ROLE_BARRIER_REDUCE) give_result(w, &w->ops[s->pc], s->mask, popc, any, all);
            s->state = SPLIT_RUNNABLE;
            s->pc++;
            s->turn = 0;
        }
    }
    let_go_on(b, r, whole);
    if (whole && b->warp[0].memory.trace) trace_release(b->warp[0].memory.trace->slot, warps);
    if (whole) finding_log_barrier(b->memory.worker->findings, &b->memory, r->site);
    if (whole) b->memory.left = left;
    if (whole)
        block_memory_barrier(&b->memory);
    else
        shadow_named_barrier(&b->memory, id, warps);
    memset(r, 0, sizeof *r);
    b->open &= ~(1u << id);
}

void barrier_check(struct block *b)
{
    b->changed = 0;
    for (uint32_t left = b->open; left; left &= left - 1) {
        uint32_t id = (uint32_t)__builtin_ctz(left);
        if (complete(b, &b->barrier[id])) release(b, id);
    }
}

// ---------------------------------------------------------------- threads that cannot continue

int barrier_unpark(struct warp *w)
{
    for (uint32_t i = 0; i < w->nsplits; i++) {
        struct split *s = &w->split[i];
        if (s->state != SPLIT_PARKED) continue;
        const struct sim_op *op = &w->ops[s->pc];
        uint32_t other = split_elsewhere(w, i);
        if (other != NO_SPLIT && checks_barriers(w)) report_divergent(w, s->pc, i, other);
        uint32_t lane = (uint32_t)__builtin_ctz(s->mask), id = warp_row(w, op->a)[lane],
                 count = op->b ? warp_row(w, op->b)[lane] : 0;
        if (op->role == ROLE_BARRIER_ARRIVE) {
            pass(w, s->pc, s->mask, id, count);
            s->state = SPLIT_RUNNABLE;
            s->pc++;
        } else {
            w->frame = s->frame;
            arrive(w, i, id, count, s->pc);
        }
        return 1;
    }
    return 0;
}

// Stores in `wait` the groups of threads that wait, each with the source line at which the group waits. Consecutive
// warps whose 32 lanes all wait at the same op form one group. Returns the number of groups of waiting threads, at most
// FINDING_WAITS.
static uint32_t who_waits(const struct block *b, struct finding_wait wait[FINDING_WAITS])
{
    const struct sim_program *p = b->memory.worker->launch->program;
    uint32_t n = 0;
    for (uint32_t k = 0; k < b->nwarps; k++)
        for (uint32_t i = 0; i < b->warp[k].nsplits && n < FINDING_WAITS; i++) {
            const struct split *s = &b->warp[k].split[i];
            struct finding_wait *group = &wait[n++];
            *group =
                (struct finding_wait){.low = k * WARP_LANES + (uint32_t)__builtin_ctz(s->mask),
                                      .high = k * WARP_LANES + 31 - (uint32_t)__builtin_clz(s->mask),
                                      .line = program_op_place(p, s->state == SPLIT_ASLEEP ? s->polled : s->pc).line};
            while (k + 1 < b->nwarps && s->mask == ALL_LANES && b->warp[k + 1].nsplits == 1 &&
                   b->warp[k + 1].split[0].pc == s->pc && b->warp[k + 1].split[0].mask == ALL_LANES) {
                k++;
                group->high += WARP_LANES;
            }
        }
    return n;
}

void barrier_report_deadlock(const struct block *b, struct warp *w, uint32_t op, uint32_t lane, const char *text)
{
    struct finding_wait wait[FINDING_WAITS];
    warp_deadlock(w, op, lane, text, wait, who_waits(b, wait));
}

int barrier_deadlock(struct block *b)
{
    int forced = 0;
    for (uint32_t k = 0; k < b->nwarps; k++) forced |= converge_retry(&b->warp[k], 1);
    if (forced) return 1;
    for (uint32_t k = 0; k < b->nwarps; k++)
        if (b->warp[k].nsplits) {
            struct warp *w = &b->warp[k];
            barrier_report_deadlock(b, w, w->split[0].pc, (uint32_t)__builtin_ctz(w->split[0].mask), NULL);
            return 0;
        }
    return 0;
}
