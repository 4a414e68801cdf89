// Instructions in which the lanes of a warp meet: shuffles, votes, matches, reductions, __syncwarp.
//
// Theory of operation. Each names the lanes it is for in a mask. Lanes of one split may hold different masks (groups
// made by match.any), so they are taken group by group. A group whose lanes are all here executes at once: that is
// nearly always so. Otherwise its lanes wait (SPLIT_AT_WARP_OP), and when lanes arrive or exit, the waiting ones are
// looked at again: they need not stand at the same instruction, only at one of the same kind with the same mask.
#include <string.h>

#include "sim/core/warp.h"

// Lanes that meet: each part stands at its own op.
struct meeting {
    uint32_t lanes, nparts;
    struct part {
        const struct sim_op *op;
        uint32_t mask;
    } part[WARP_LANES];
};

// The row that holds the mask.
static uint32_t mask_row(const struct sim_op *op)
{
    return op->inner == collective_shfl ? op->f : op->inner == barrier_warp ? op->a : op->b;
}

static uint32_t register_of(const struct warp *w, const struct sim_op *op, uint32_t dest)
{
    return w->plan->use[op->regs + 1 + op->nsources + dest];
}

// The op's first source of every lane that meets. `wide`: 64-bit rows; predicates: 0 or 1.
static void gather(const struct warp *w, const struct meeting *m, uint64_t value[WARP_LANES])
{
    for (uint32_t p = 0; p < m->nparts; p++) {
        const struct sim_op *op = m->part[p].op;
        int is_vote = op->inner == collective_vote, wide = op->inner == collective_match && op->side;
        for (uint32_t i = 0; i < WARP_LANES; i++) {
            if (!(m->part[p].mask >> i & 1)) continue;
            if (is_vote)
                value[i] = *warp_pred(w, op->a) >> i & 1;
            else if (wide)
                memcpy(&value[i], w->rows + op->a + 8 * i, 8);
            else
                value[i] = warp_row(w, op->a)[i];
        }
    }
}

static void set_pred_lane(struct warp *w, uint32_t row, uint32_t lane, int on)
{
    if (!row) return;
    uint32_t *p = warp_pred(w, row);
    *p = (*p & ~(1u << lane)) | (uint32_t)on << lane;
}

// PTX ISA 9.7.9.6: the lane that `lane` reads with the operands b and c. 0: it lies out of range, and the lane reads
// itself.
static inline __attribute__((always_inline)) uint32_t shuffle_from(uint32_t mode, uint32_t lane, uint32_t b, uint32_t c,
                                                                   uint32_t *out)
{
    uint32_t clamp = c & 31, segment = c >> 8 & 31, low = lane & segment, high = low | (clamp & ~segment);
    uint32_t step = b & 31, from = mode == PTX_UP     ? lane - step
                                   : mode == PTX_DOWN ? lane + step
                                   : mode == PTX_BFLY ? lane ^ step
                                                      : low | (step & ~segment);
    uint32_t in_range = mode == PTX_UP ? (int32_t)from >= (int32_t)high : from <= high;
    *out = in_range ? from : lane;
    return in_range;
}

// The lane that was read; WARP_LANES: one that does not take part, which leaves the result undefined.
static uint32_t shuffle_lane(struct warp *w, const struct sim_op *op, const uint64_t value[], uint32_t lanes,
                             uint32_t lane)
{
    uint32_t from, in_range = shuffle_from(op->mode, lane, warp_row(w, op->b)[lane], warp_row(w, op->c)[lane], &from);
    int defined = lanes >> from & 1;
    warp_row(w, op->d)[lane] = defined ? (uint32_t)value[from] : 0;
    set_pred_lane(w, op->e, lane, (int)in_range);
    return defined ? from : WARP_LANES;
}

// All lanes at once: nearly every shuffle.
static void shuffle_whole(struct warp *w, const struct sim_op *op)
{
    const uint32_t *a = warp_row(w, op->a), *b = warp_row(w, op->b), *c = warp_row(w, op->c);
    uint32_t result[WARP_LANES], in_range = 0;
#define LANES(mode)                                                                                                    \
    for (uint32_t lane = 0, from; lane < WARP_LANES; lane++) {                                                         \
        in_range |= shuffle_from(mode, lane, b[lane], c[lane], &from) << lane;                                         \
        result[lane] = a[from];                                                                                        \
    }
    switch (op->mode) {
    case PTX_UP:
        LANES(PTX_UP)
        break;
    case PTX_DOWN:
        LANES(PTX_DOWN)
        break;
    case PTX_BFLY:
        LANES(PTX_BFLY)
        break;
    default:
        LANES(PTX_IDX)
    }
#undef LANES
    memcpy(warp_row(w, op->d), result, sizeof result);
    if (op->e) *warp_pred(w, op->e) = in_range;
}

static uint32_t votes(const uint64_t value[], uint32_t lanes)
{
    uint32_t yes = 0;
    for (uint32_t i = 0; i < WARP_LANES; i++) yes |= (uint32_t)(value[i] != 0) << i;
    return yes & lanes;
}

static void vote_lane(struct warp *w, const struct sim_op *op, uint32_t yes, uint32_t lanes, uint32_t lane)
{
    if (op->mode == PTX_BALLOT)
        warp_row(w, op->d)[lane] = yes;
    else
        set_pred_lane(w, op->d, lane,
                      op->mode == PTX_ALL   ? yes == lanes
                      : op->mode == PTX_ANY ? yes != 0
                                            : yes == lanes || !yes);
}

static void match_lane(struct warp *w, const struct sim_op *op, const uint64_t value[], uint32_t lanes, uint32_t lane)
{
    uint32_t same = 0;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (lanes >> i & 1 && value[i] == value[lane]) same |= 1u << i;
    int all = same == lanes;
    warp_row(w, op->d)[lane] = op->mode == PTX_ALL ? (all ? lanes : 0) : same;
    set_pred_lane(w, op->e, lane, all);
}

static uint32_t reduce(uint32_t atom, int is_signed, uint32_t a, uint32_t b)
{
    switch (atom) {
    case PTX_ATOM_ADD:
        return a + b;
    case PTX_ATOM_MIN:
        return is_signed ? ((int32_t)a < (int32_t)b ? a : b) : (a < b ? a : b);
    case PTX_ATOM_MAX:
        return is_signed ? ((int32_t)a > (int32_t)b ? a : b) : (a > b ? a : b);
    case PTX_ATOM_AND:
        return a & b;
    case PTX_ATOM_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static uint32_t reduction(const struct sim_op *op, const uint64_t value[], uint32_t lanes)
{
    uint32_t result = (uint32_t)value[__builtin_ctz(lanes)];
    for (uint32_t left = lanes & (lanes - 1); left; left &= left - 1)
        result = reduce(op->mode, (int)op->side, result, (uint32_t)value[__builtin_ctz(left)]);
    return result;
}

static void elect_lane(struct warp *w, const struct sim_op *op, uint32_t lanes, uint32_t lane)
{
    uint32_t elected = (uint32_t)__builtin_ctz(lanes);
    if (op->d) warp_row(w, op->d)[lane] = elected;
    set_pred_lane(w, op->e, lane, lane == elected);
}

// Words that a match tells apart, one after the other: those of the different values.
static uint32_t matched(const struct sim_op *op, const uint64_t value[], uint32_t lanes)
{
    uint32_t n = 0;
    if (op->mode == PTX_ALL) return 1;
    for (uint32_t left = lanes, first; left; n++) {
        first = (uint32_t)__builtin_ctz(left);
        for (uint32_t rest = left; rest; rest &= rest - 1) {
            uint32_t i = (uint32_t)__builtin_ctz(rest);
            if (value[i] == value[first]) left &= ~(1u << i);
        }
    }
    return op->side ? 2 * n : n;
}

static void count(struct warp *w, const struct sim_op *op, const uint64_t value[], uint32_t lanes)
{
    struct counters *c = &w->memory.block->worker->op[warp_op_index(w, op)];
    if (op->inner == collective_match) c->match_words += matched(op, value, lanes);
    if (op->inner == collective_shfl)
        c->shuffles++;
    else if (op->inner == barrier_warp)
        c->warp_barriers++;
    else
        c->votes++;
}

static const struct sim_undefined nobodys = {.bits = ~0ull, .op = UINT32_MAX, .symbol = -1, .space = SPACE_REGISTER};

// What the lanes bring along that was never written.
static void gather_undefined(struct warp *w, const struct meeting *m, struct sim_undefined of[WARP_LANES])
{
    for (uint32_t p = 0; p < m->nparts; p++) {
        uint32_t reg = w->plan->use[m->part[p].op->regs + 1];
        for (uint32_t left = m->part[p].mask; left; left &= left - 1) {
            uint32_t i = (uint32_t)__builtin_ctz(left);
            of[i] = warp_undef_bits(w, reg, i) ? *warp_undefined(w, reg, i) : (struct sim_undefined){.bits = 0};
            of[i].copied = of[i].moved = 0;
        }
    }
}

// Of a vote, a match or a reduction: a ballot's bits are those of its lanes, all else hangs on every lane.
static void spread_undefined(struct warp *w, const struct sim_op *op, const struct meeting *m, uint32_t lane,
                             const struct sim_undefined of[WARP_LANES])
{
    struct sim_undefined result = {.bits = 0};
    uint64_t bits = 0;
    for (uint32_t left = m->lanes; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        if (!of[i].bits) continue;
        result = of[i];
        bits |= 1ull << i;
    }
    result.bits = op->inner == collective_vote && op->mode == PTX_BALLOT ? bits : bits ? ~0ull : 0;
    for (uint32_t d = 0; d < op->ndests; d++) warp_set_undefined(w, register_of(w, op, d), lane, &result);
}

// One lane's result, and what of it is undefined. `common`: what a vote or a reduction comes to. `of`: NULL when all
// that is brought along is defined.
static void execute_lane(struct warp *w, const struct sim_op *op, const struct meeting *m, uint32_t lane,
                         const uint64_t value[], uint32_t common, const struct sim_undefined *of)
{
    uint32_t from = lane;
    if (op->inner == collective_shfl)
        from = shuffle_lane(w, op, value, m->lanes, lane);
    else if (op->inner == collective_vote)
        vote_lane(w, op, common, m->lanes, lane);
    else if (op->inner == collective_match)
        match_lane(w, op, value, m->lanes, lane);
    else if (op->inner == collective_redux)
        warp_row(w, op->d)[lane] = common;
    else if (op->inner == collective_elect)
        elect_lane(w, op, m->lanes, lane);
    if (from == WARP_LANES) {
        if (w->memory.block->worker->launch->checks & CHECK_WRITTEN)
            warp_set_undefined(w, register_of(w, op, 0), lane, &nobodys);
    } else if (of && op->inner == collective_shfl) {
        warp_set_undefined(w, register_of(w, op, 0), lane, &of[from]);
    } else if (of) {
        spread_undefined(w, op, m, lane, of);
    }
}

static void execute(struct warp *w, const struct meeting *m)
{
    uint64_t value[WARP_LANES] = {0};
    struct sim_undefined of[WARP_LANES];
    int careful = w->nundef != 0, whole = m->nparts == 1 && m->lanes == UINT32_MAX;
    if (whole && !careful && m->part[0].op->inner == collective_shfl) {
        count(w, m->part[0].op, value, 0);
        shuffle_whole(w, m->part[0].op);
        return;
    }
    if (m->part[0].op->inner == barrier_warp)
        sim_warp_barrier(&w->memory, m->lanes);
    else
        gather(w, m, value);
    if (careful) gather_undefined(w, m, of);
    for (uint32_t p = 0; p < m->nparts; p++) {
        const struct sim_op *op = m->part[p].op;
        uint32_t common = op->inner == collective_vote    ? votes(value, m->lanes)
                          : op->inner == collective_redux ? reduction(op, value, m->lanes)
                                                          : 0;
        count(w, op, value, m->part[p].mask);
        for (uint32_t i = 0; i < WARP_LANES && op->inner != barrier_warp; i++)
            if (m->part[p].mask >> i & 1) execute_lane(w, op, m, i, value, common, careful ? of : NULL);
    }
}

// A mask that names lanes which have exited, or that does not name the lane itself.
static void check_mask(struct warp *w, const struct sim_op *op, uint32_t lanes, uint32_t wanted)
{
    if (!(w->memory.block->worker->launch->checks & CHECK_RACES)) return;
    uint32_t wrong = (wanted & w->born & ~w->memory.live) | (lanes & ~wanted);
    if (wrong)
        warp_finding(w, FINDING_bad_mask, warp_op_index(w, op), (uint32_t)__builtin_ctz(lanes), NULL, wrong,
                     UINT32_MAX);
}

// Tries to let the waiting split meet its lanes; `force`: with those who are there.
static int try_split(struct warp *w, uint32_t split, int force)
{
    struct split *s = &w->split[split];
    const struct sim_op *first = &w->ops[s->pc];
    struct meeting m = {0};
    uint32_t members[WARP_LANES];
    for (uint32_t i = 0; i < w->nsplits; i++) {
        const struct split *t = &w->split[i];
        const struct sim_op *op = &w->ops[t->pc];
        if (t->state != SPLIT_AT_WARP_OP || t->wait_mask != s->wait_mask || op->inner != first->inner) continue;
        members[m.nparts] = i;
        m.lanes |= t->mask;
        m.part[m.nparts++] = (struct part){op, t->mask};
    }
    uint32_t missing = s->wait_mask & w->memory.live & ~m.lanes;
    if (missing && !force) return 0;
    struct frame *current = w->frame;
    w->frame = s->frame; // a finding names the call that the waiting lanes stand in
    if (missing)
        warp_finding(w, FINDING_bad_mask, s->pc, (uint32_t)__builtin_ctz(s->mask), NULL, missing, UINT32_MAX);
    else
        check_mask(w, first, m.lanes, s->wait_mask);
    w->frame = current;
    execute(w, &m);
    for (uint32_t p = 0; p < m.nparts; p++) {
        struct split *t = &w->split[members[p]];
        t->state = SPLIT_RUNNABLE;
        t->pc++;
    }
    return 1;
}

int collective_retry(struct warp *w, int force)
{
    int any = 0;
    for (uint32_t i = 0; i < w->nsplits; i++)
        if (w->split[i].state == SPLIT_AT_WARP_OP) any |= try_split(w, i, force);
    if (any) w->event = 1;
    return any;
}

// The lanes of `mask` that hold the same mask as the first.
static uint32_t same_mask(const struct warp *w, const struct sim_op *op, uint32_t mask, uint32_t *wanted)
{
    const uint32_t *row = warp_row(w, mask_row(op));
    uint32_t same = 0;
    *wanted = row[__builtin_ctz(mask)];
    for (uint32_t i = 0; i < WARP_LANES; i++) same |= (uint32_t)(row[i] == *wanted) << i;
    return same & mask;
}

// Lanes `group` of the current split wait here for the rest of `wanted`.
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

static void meet(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint32_t waiting = 0, wanted, before = w->nundef;
    for (uint32_t left = mask; left;) {
        uint32_t group = same_mask(w, op, left, &wanted);
        left &= ~group;
        if (wanted & w->memory.live & ~group) {
            waiting |= group;
            continue;
        }
        struct meeting m = {.lanes = group, .nparts = 1, .part = {{op, group}}};
        if (wanted != group) check_mask(w, op, group, wanted);
        execute(w, &m);
    }
    if (w->nundef && !before) warp_stop(w, op, warp_op_index(w, op) + 1); // the next ops are to be looked at
    if (!waiting) return;
    uint32_t here = warp_op_index(w, op), stay = w->mask & ~waiting;
    // The split keeps the lanes that go on; one that has none left makes room for those that wait.
    struct split *s = &w->split[w->current];
    for (uint32_t left = waiting; left;) {
        uint32_t group = same_mask(w, op, left, &wanted);
        left &= ~group;
        if (!left && !stay) { // the last group takes the split itself
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
    collective_retry(w, 0);
}

void collective_shfl(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    meet(w, op, mask);
}

void collective_vote(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    meet(w, op, mask);
}

void collective_match(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    meet(w, op, mask);
}

void collective_redux(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    meet(w, op, mask);
}

void collective_elect(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    meet(w, op, mask);
}

void barrier_warp(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    meet(w, op, mask);
}

void collective_activemask(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint32_t *d = warp_row(w, op->d);
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (mask >> i & 1) d[i] = mask;
}
