// Executes warp operations once all their lanes have arrived: shuffles, votes, matches, reductions, __syncwarp().
//
// Theory of operation. A warp operation names its lanes in a mask. Lanes that reach a warp operation together may hold
// different masks, for example masks from match.any. Lanes that reach a warp operation are therefore divided into
// groups with equal masks. Nearly always all lanes that the mask of a warp operation names arrive together, and the
// warp operation executes at once. A group of lanes whose mask names lanes that have not arrived waits in the state
// SPLIT_AT_WARP_OP. When lanes of a warp arrive or exit, converge.c checks again which waiting warp operations now have
// all their lanes. Lanes that wait at different ops execute together if the ops are warp operations of the same kind
// and name their lanes in equal masks. For example, a kernel may legally execute one shuffle by two ops, one in each
// branch of an if. If lanes execute one warp operation at two ops, and a path leads from one op to the other, some
// lanes have run ahead. Lanes that ran ahead exchange values with lanes at another place in the program, and are
// missing at a later warp operation. If lanes are missing because they ran ahead, the finding names the first op at
// which lanes from different places executed together, and not the op at which the last lanes wait.
#include "sim/machine/converge.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/core/warp.h"
#include "sim/machine/warp.h"

static const struct sim_exchange_op *exchange_of(const struct warp *w, const struct sim_op *op)
{
    return &w->plan->exchange[op->side];
}

// Adds the finding that the mask of the warp operation at op `here` does not name exactly the lanes that execute the
// operation. `lane` is one of the lanes that execute the operation.
static void report_mask(struct warp *w, uint32_t here, uint32_t lane, uint32_t wrong)
{
    if (w->mixed)
        warp_finding(w, FINDING_bad_mask, w->mixed - 1, lane, NULL, wrong, here);
    else
        warp_finding(w, FINDING_bad_mask, here, lane, NULL, wrong, UINT32_MAX);
}

// Adds a finding if the mask `wanted` names lanes that have exited, or does not name all of `lanes`, which execute the
// op.
static void check_mask(struct warp *w, const struct sim_op *op, uint32_t lanes, uint32_t wanted)
{
    if (!(w->memory.block->worker->launch->checks & CHECK_RACES)) return;
    uint32_t wrong = (wanted & w->initial & ~w->memory.live) | (lanes & ~wanted);
    if (wrong) report_mask(w, warp_op_index(w, op), (uint32_t)__builtin_ctz(lanes), wrong);
}

// Returns 1 if at least one path through the code of a function leads from op `from` to op `to`.
static int leads_on(const struct warp *w, uint32_t from, uint32_t to)
{
    uint32_t nops = w->memory.block->worker->launch->nops, count = 0;
    uint32_t *open = alloc_array(2 * (size_t)nops + 1, sizeof *open); // an op is closed once and opens at most two ops
    uint8_t *seen = alloc_zeroed(nops + 1, 1);
    int leads = 0;
    for (open[count++] = from; count && !leads;) {
        uint32_t pc = open[--count];
        const struct sim_op *op = &w->ops[pc];
        if (seen[pc]) continue;
        seen[pc] = 1;
        leads = pc == to;
        int ends = op->role == ROLE_EXIT || op->role == ROLE_RETURN || op->role == ROLE_BRANCH_TABLE;
        if (op->role == ROLE_BRANCH && !seen[op->f]) open[count++] = op->f;
        if (op->guard || !(ends || op->role == ROLE_BRANCH))
            if (pc + 1 < nops && !seen[pc + 1]) open[count++] = pc + 1;
    }
    free(open);
    free(seen);
    return leads;
}

// Records in w->mixed that lanes execute one warp operation at different ops, if a path leads from the first of these
// ops to the last. If a path also leads back from the last of these ops to the first, the ops are in a loop and may be
// the two branches of an if statement, so record_mixed() records nothing.
static void record_mixed(struct warp *w, const struct exchange *m)
{
    uint32_t first = UINT32_MAX, last = 0;
    for (uint32_t p = 0; p < m->nparts; p++) {
        uint32_t op = warp_op_index(w, m->part[p].op);
        if (op < first) first = op;
        if (op > last) last = op;
    }
    if (first == last || w->mixed || (w->unmixed[0] == first && w->unmixed[1] == last)) return;
    if (leads_on(w, first, last) && !leads_on(w, last, first))
        w->mixed = first + 1;
    else
        w->unmixed[0] = first, w->unmixed[1] = last;
}

// Executes the warp operation at which the group of lanes number `split` waits, if all lanes of the operation's mask
// have arrived. If `force` is 1, executes the warp operation for the lanes that wait, and reports the missing lanes.
// Returns 1 if the warp operation was executed.
static int try_split(struct warp *w, uint32_t split, int force)
{
    struct split *s = &w->split[split];
    const struct sim_op *first = &w->ops[s->pc];
    struct exchange m = {0};
    uint32_t members[WARP_LANES];
    for (uint32_t i = 0; i < w->nsplits; i++) {
        const struct split *t = &w->split[i];
        const struct sim_op *op = &w->ops[t->pc];
        if (t->state != SPLIT_AT_WARP_OP || t->wait_mask != s->wait_mask ||
            exchange_of(w, op)->run != exchange_of(w, first)->run)
            continue;
        members[m.nparts] = i;
        m.lanes |= t->mask;
        m.part[m.nparts++] = (struct exchange_part){op, t->mask};
    }
    uint32_t missing = s->wait_mask & w->memory.live & ~m.lanes;
    if (missing && !force) return 0;
    struct frame *current = w->frame;
    w->frame = s->frame; // so that a finding names the call in which the lanes wait
    record_mixed(w, &m);
    if (missing)
        report_mask(w, s->pc, (uint32_t)__builtin_ctz(s->mask), missing);
    else
        check_mask(w, first, m.lanes, s->wait_mask);
    w->frame = current;
    exchange_of(w, first)->run(w, &m);
    for (uint32_t p = 0; p < m.nparts; p++) {
        struct split *t = &w->split[members[p]];
        t->state = SPLIT_RUNNABLE;
        t->pc++;
    }
    return 1;
}

int converge_retry(struct warp *w, int force)
{
    int any = 0;
    for (uint32_t i = 0; i < w->nsplits; i++)
        if (w->split[i].state == SPLIT_AT_WARP_OP) any |= try_split(w, i, force);
    if (any) w->event = 1;
    return any;
}

// Returns the lanes of `mask` whose lane mask equals that of the first lane, and stores the lane mask of the first lane
// in `*wanted`.
static uint32_t same_mask(const struct warp *w, const struct sim_op *op, uint32_t mask, uint32_t *wanted)
{
    const uint32_t *row = warp_row(w, exchange_of(w, op)->mask);
    uint32_t same = 0;
    *wanted = row[__builtin_ctz(mask)];
    for (uint32_t i = 0; i < WARP_LANES; i++) same |= (uint32_t)(row[i] == *wanted) << i;
    return same & mask;
}

// Makes a new split (group of lanes) of the lanes in `group`, which waits at the op `op` for the other lanes of the
// mask `wanted`.
static void wait_here(struct warp *w, const struct sim_op *op, uint32_t group, uint32_t wanted)
{
    struct split *s = &w->split[w->nsplits++];
    *s = (struct split){.pc = warp_op_index(w, op),
                        .mask = group,
                        .state = SPLIT_AT_WARP_OP,
                        .wait_mask = wanted,
                        .turn = w->split[w->current].turn,
                        .frame = w->frame};
    if (s->frame) s->frame->references++;
}

void converge(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint32_t waiting = 0, wanted, before = w->nundef;
    if (exchange_of(w, op)->barrier && w->memory.block->worker->launch->request->without & WITHOUT_WARP_BARRIERS)
        return;
    for (uint32_t left = mask; left;) {
        uint32_t group = same_mask(w, op, left, &wanted);
        left &= ~group;
        if (wanted & w->memory.live & ~group) {
            waiting |= group;
            continue;
        }
        struct exchange m = {.lanes = group, .nparts = 1, .part = {{op, group}}};
        if (wanted != group) check_mask(w, op, group, wanted);
        exchange_of(w, op)->run(w, &m);
    }
    if (w->nundef && !before) warp_stop(w, op, warp_op_index(w, op) + 1); // undef_execute() executes the next ops
    if (!waiting) return;
    uint32_t here = warp_op_index(w, op), stay = w->mask & ~waiting;
    // The current split keeps the lanes that continue. If all its lanes wait, the last waiting group takes the split.
    struct split *s = &w->split[w->current];
    for (uint32_t left = waiting; left;) {
        uint32_t group = same_mask(w, op, left, &wanted);
        left &= ~group;
        if (!left && !stay) {
            s->mask = group;
            s->state = SPLIT_AT_WARP_OP;
            s->wait_mask = wanted;
            s->pc = here;
        } else {
            s->mask &= ~group;
            wait_here(w, op, group, wanted);
        }
    }
    w->mask = s->mask;
    warp_stop(w, op, here + 1);
    converge_retry(w, 0);
}
