// Executes and lowers instructions that exchange values between the lanes of a warp: shuffles, votes, matches,
// reductions, elections, and __syncwarp. Each instruction that exchanges values between lanes has two functions: one
// lowers the instruction to an op, and the other executes the op when the participating lanes have converged
// (machine/converge.c).
//
// Undefined bits. A shuffle copies the undefined bits of the lane that is read. In a ballot, bit i is undefined if the
// value of lane i is undefined. The result of an instruction in this file other than a shuffle or a ballot is undefined
// if one of the participating lanes has an undefined value.
#include <string.h>

#include "ptx/ptx.h"
#include "sim/hazard/shadow.h"
#include "sim/machine/converge.h"
#include "sim/machine/frame.h"
#include "sim/machine/undef.h"
#include "sim/op/lower.h"

struct sim_op *lower_exchange(struct lower *l, const struct ptx_inst *i, exchange_body *run, struct ref mask,
                              const struct ref *src, uint32_t nsrc, const struct ref *dst, uint32_t ndst)
{
    *LOWER_PUSH(l, &l->exchange) = (struct sim_exchange_op){.run = run, .mask = mask.row, .type = i->type[0]};
    struct sim_op *op = lower_emit(l, converge, src, nsrc, dst, ndst);
    op->side = l->exchange.count - 1;
    op->mode = i->mode;
    op->propagation = PROPAGATE_ITSELF;
    return op;
}

static struct counters *counters_of(struct warp *w, const struct sim_op *op)
{
    return &w->memory.block->worker->op[warp_op_index(w, op)];
}

static uint32_t register_of(const struct warp *w, const struct sim_op *op, uint32_t dest)
{
    return w->plan->use[op->regs + 1 + op->nsources + dest];
}

static uint64_t source_of(const struct warp *w, const struct sim_op *op, uint32_t width, uint32_t lane)
{
    uint64_t value;
    if (width == 1) return *warp_pred(w, op->a) >> lane & 1;
    if (width == 4) return warp_row(w, op->a)[lane];
    memcpy(&value, w->rows + op->a + 8 * lane, 8);
    return value;
}

// Reads the first source operand of every lane into `value`. The argument `width` is the size of the operand's register
// in bytes, or 1 for predicates.
static void gather(const struct warp *w, const struct exchange *x, uint32_t width, uint64_t value[WARP_LANES])
{
    memset(value, 0, WARP_LANES * sizeof *value);
    for (uint32_t p = 0; p < x->nparts; p++)
        for (uint32_t i = 0; i < WARP_LANES; i++)
            if (x->part[p].mask >> i & 1) value[i] = source_of(w, x->part[p].op, width, i);
}

static void set_pred_lane(struct warp *w, uint32_t row, uint32_t lane, int on)
{
    if (!row) return;
    uint32_t *p = warp_pred(w, row);
    *p = (*p & ~(1u << lane)) | (uint32_t)on << lane;
}

// ---------------------------------------------------------------- undefined bits

// Returns the undefined value that the shuffle `op` gives a lane that reads from a lane outside of the shuffle. A
// finding names the shuffle (undef.c).
static struct sim_undefined from_inactive_lane(const struct warp *w, const struct sim_op *op)
{
    return (struct sim_undefined){
        .bits = ~0ull, .op = frame_site(w, warp_op_index(w, op)), .symbol = -1, .space = SPACE_REGISTER};
}

// Reads the undefined bits of every lane's first source operand into `of`, and returns 1. Returns 0 if no register of
// the warp has undefined bits.
static int gather_undefined(struct warp *w, const struct exchange *x, struct sim_undefined of[WARP_LANES])
{
    if (!w->nundef) return 0;
    for (uint32_t p = 0; p < x->nparts; p++) {
        uint32_t reg = w->plan->use[x->part[p].op->regs + 1];
        for (uint32_t left = x->part[p].mask; left; left &= left - 1) {
            uint32_t i = (uint32_t)__builtin_ctz(left);
            of[i] = undef_bits(w, reg, i) ? *undef_value(w, reg, i) : (struct sim_undefined){.bits = 0};
            of[i].copied = of[i].moved = 0;
        }
    }
    return 1;
}

// Marks the undefined bits in the results of lane `lane`. Bit i of a ballot's result depends on lane i; every bit of
// any other result depends on all lanes.
static void propagate_undefined(struct warp *w, const struct sim_op *op, const struct exchange *x, uint32_t lane,
                                const struct sim_undefined of[WARP_LANES], int ballot)
{
    struct sim_undefined result = {.bits = 0};
    uint64_t bits = 0;
    for (uint32_t left = x->lanes; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        if (!of[i].bits) continue;
        result = of[i];
        bits |= 1ull << i;
    }
    result.bits = ballot ? bits : bits ? ~0ull : 0;
    for (uint32_t d = 0; d < op->ndests; d++) undef_set_value(w, register_of(w, op, d), lane, &result);
}

// ---------------------------------------------------------------- shuffles

// Stores in *out the lane from which `lane` reads in a shuffle with the operands b and c (PTX ISA 9.7.9.6). Returns 1,
// or 0 if the lane to read is out of range; `lane` then reads its own value.
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

// Executes a shuffle for one lane. Returns the lane that was read, or WARP_LANES if the lane to read takes no part in
// the shuffle. The shuffle's result is undefined if the lane to read takes no part.
static uint32_t shuffle_lane(struct warp *w, const struct sim_op *op, const uint64_t value[], uint32_t lanes,
                             uint32_t lane)
{
    uint32_t from, in_range = shuffle_from(op->mode, lane, warp_row(w, op->b)[lane], warp_row(w, op->c)[lane], &from);
    int defined = lanes >> from & 1;
    warp_row(w, op->d)[lane] = defined ? (uint32_t)value[from] : 0;
    set_pred_lane(w, op->e, lane, (int)in_range);
    return defined ? from : WARP_LANES;
}

// Executes a shuffle for all 32 lanes at once. In nearly every shuffle, all lanes of the warp take part.
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

static void shuffle(struct warp *w, const struct exchange *x)
{
    uint64_t value[WARP_LANES];
    struct sim_undefined of[WARP_LANES];
    int undefined = gather_undefined(w, x, of);
    if (x->lanes == ALL_LANES && x->nparts == 1 && !undefined) {
        counters_of(w, x->part[0].op)->shuffles++;
        shuffle_whole(w, x->part[0].op);
        return;
    }
    gather(w, x, 4, value);
    for (uint32_t p = 0; p < x->nparts; p++) {
        const struct sim_op *op = x->part[p].op;
        struct sim_undefined outside = from_inactive_lane(w, op);
        counters_of(w, op)->shuffles++;
        for (uint32_t i = 0; i < WARP_LANES; i++) {
            if (!(x->part[p].mask >> i & 1)) continue;
            uint32_t from = shuffle_lane(w, op, value, x->lanes, i);
            if (from < WARP_LANES && undefined) undef_set_value(w, register_of(w, op, 0), i, &of[from]);
            if (from == WARP_LANES && w->memory.block->worker->launch->checks & CHECK_WRITTEN)
                undef_set_value(w, register_of(w, op, 0), i, &outside);
        }
    }
}

void lower_shuffle(struct lower *l, const struct ptx_inst *i)
{
    struct ref src[4], dst[2] = {lower_dest(l, &i->operand[0], 4, 0), {0, 0}};
    if (i->operand[1].kind != PTX_OPERAND_NONE) dst[1] = lower_dest(l, &i->operand[1], 1, 0);
    for (uint32_t k = 0; k < 4; k++) src[k] = lower_source(l, &i->operand[2 + k], 4);
    lower_exchange(l, i, shuffle, src[3], src, 4, dst, 2);
}

// ---------------------------------------------------------------- votes, matches, reductions, elections

// Writes the result of `op` for one lane. The argument `common` is a value that all lanes in `lanes` share, such as the
// ballot of a vote or the sum of a reduction.
typedef void lane_body(struct warp *, const struct sim_op *, uint32_t lanes, uint32_t lane, const uint64_t value[],
                       uint32_t common);

// Runs `body` for every lane of part `part` of the exchange (the lanes that arrived at one op), and marks the undefined
// bits of their results.
static void each_lane(struct warp *w, const struct exchange *x, uint32_t part, lane_body *body, const uint64_t value[],
                      uint32_t common, int ballot)
{
    struct sim_undefined of[WARP_LANES];
    int undefined = gather_undefined(w, x, of);
    for (uint32_t left = x->part[part].mask; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        body(w, x->part[part].op, x->lanes, i, value, common);
        if (undefined) propagate_undefined(w, x->part[part].op, x, i, of, ballot);
    }
}

static void vote_lane(struct warp *w, const struct sim_op *op, uint32_t lanes, uint32_t lane, const uint64_t value[],
                      uint32_t yes)
{
    (void)value;
    if (op->mode == PTX_BALLOT)
        warp_row(w, op->d)[lane] = yes;
    else
        set_pred_lane(w, op->d, lane,
                      op->mode == PTX_ALL   ? yes == lanes
                      : op->mode == PTX_ANY ? yes != 0
                                            : yes == lanes || !yes);
}

static void vote(struct warp *w, const struct exchange *x)
{
    uint64_t value[WARP_LANES];
    uint32_t yes = 0;
    gather(w, x, 1, value);
    for (uint32_t i = 0; i < WARP_LANES; i++) yes |= (uint32_t)(value[i] != 0) << i;
    for (uint32_t p = 0; p < x->nparts; p++) {
        counters_of(w, x->part[p].op)->votes++;
        each_lane(w, x, p, vote_lane, value, yes & x->lanes, x->part[p].op->mode == PTX_BALLOT);
    }
}

void lower_vote(struct lower *l, const struct ptx_inst *i)
{
    struct ref src[2] = {lower_source(l, &i->operand[1], 1), lower_source(l, &i->operand[2], 4)};
    struct ref dst = lower_dest(l, &i->operand[0], i->mode == PTX_BALLOT ? 4 : 1, 0);
    lower_exchange(l, i, vote, src[1], src, 2, &dst, 1);
}

static void match_lane(struct warp *w, const struct sim_op *op, uint32_t lanes, uint32_t lane, const uint64_t value[],
                       uint32_t common)
{
    uint32_t same = 0;
    (void)common;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (lanes >> i & 1 && value[i] == value[lane]) same |= 1u << i;
    int all = same == lanes;
    warp_row(w, op->d)[lane] = op->mode == PTX_ALL ? (all ? lanes : 0) : same;
    set_pred_lane(w, op->e, lane, all);
}

// Returns the number of 32-bit comparisons that match.any makes one after the other. In match.any, each distinct value
// of the lanes takes one comparison of 32 bits, and a 64-bit value takes two. For match.all, the function returns 1.
static uint32_t matched(const struct sim_op *op, const uint64_t value[], uint32_t lanes, uint32_t width)
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
    return width / 4 * n;
}

enum { WORDS_AN_INSTRUCTION = 2 }; // compared words that cost as much of the budget as one warp instruction

static void match(struct warp *w, const struct exchange *x)
{
    uint64_t value[WARP_LANES];
    uint32_t width = ptx_type_bytes((enum ptx_type)w->plan->exchange[x->part[0].op->side].type);
    gather(w, x, width, value);
    for (uint32_t p = 0; p < x->nparts; p++) {
        const struct sim_op *op = x->part[p].op;
        counters_of(w, op)->votes++;
        uint32_t words = matched(op, value, x->part[p].mask, width);
        counters_of(w, op)->match_words += words;
        if (w->memory.block->shadow) w->memory.block->extra_work += words / WORDS_AN_INSTRUCTION;
        each_lane(w, x, p, match_lane, value, 0, 0);
    }
}

void lower_match(struct lower *l, const struct ptx_inst *i)
{
    uint32_t width = lower_width(i->type[0]);
    struct ref dst[2] = {lower_dest(l, &i->operand[0], 4, 0), {0, 0}};
    if (i->operand[1].kind != PTX_OPERAND_NONE) dst[1] = lower_dest(l, &i->operand[1], 1, 0);
    struct ref src[2] = {lower_source(l, &i->operand[2], width), lower_source(l, &i->operand[3], 4)};
    lower_exchange(l, i, match, src[1], src, 2, dst, 2);
}

static uint32_t reduce_two(uint32_t atom, int is_signed, uint32_t a, uint32_t b)
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

static void reduce_lane(struct warp *w, const struct sim_op *op, uint32_t lanes, uint32_t lane, const uint64_t value[],
                        uint32_t common)
{
    (void)lanes, (void)value;
    warp_row(w, op->d)[lane] = common;
}

static void reduce(struct warp *w, const struct exchange *x)
{
    uint64_t value[WARP_LANES];
    gather(w, x, 4, value);
    for (uint32_t p = 0; p < x->nparts; p++) {
        const struct sim_op *op = x->part[p].op;
        int is_signed = w->plan->exchange[op->side].type == PTX_S32;
        uint32_t result = (uint32_t)value[__builtin_ctz(x->lanes)];
        for (uint32_t left = x->lanes & (x->lanes - 1); left; left &= left - 1)
            result = reduce_two(op->mode, is_signed, result, (uint32_t)value[__builtin_ctz(left)]);
        counters_of(w, op)->votes++;
        each_lane(w, x, p, reduce_lane, value, result, 0);
    }
}

void lower_reduce(struct lower *l, const struct ptx_inst *i)
{
    struct ref src[2] = {lower_source(l, &i->operand[1], 4), lower_source(l, &i->operand[2], 4)};
    struct ref dst = lower_dest(l, &i->operand[0], 4, 0);
    lower_exchange(l, i, reduce, src[1], src, 2, &dst, 1)->mode = i->atom;
}

static void elect_lane(struct warp *w, const struct sim_op *op, uint32_t lanes, uint32_t lane, const uint64_t value[],
                       uint32_t common)
{
    uint32_t elected = (uint32_t)__builtin_ctz(lanes);
    (void)value, (void)common;
    if (op->d) warp_row(w, op->d)[lane] = elected;
    set_pred_lane(w, op->e, lane, lane == elected);
}

static void elect(struct warp *w, const struct exchange *x)
{
    for (uint32_t p = 0; p < x->nparts; p++) {
        counters_of(w, x->part[p].op)->votes++;
        each_lane(w, x, p, elect_lane, NULL, 0, 0);
    }
}

void lower_elect(struct lower *l, const struct ptx_inst *i)
{
    struct ref none = {0, 0}, mask = lower_source(l, &i->operand[2], 4);
    int wants_lane = i->operand[0].kind == PTX_OPERAND_REG;
    struct ref dst[2] = {wants_lane ? lower_dest(l, &i->operand[0], 4, 0) : none, lower_dest(l, &i->operand[1], 1, 0)};
    lower_exchange(l, i, elect, mask, &mask, 1, dst, 2);
}

// ---------------------------------------------------------------- instructions without a source value

static void synchronize(struct warp *w, const struct exchange *x)
{
    shadow_warp_barrier(&w->memory, x->lanes);
    for (uint32_t p = 0; p < x->nparts; p++) counters_of(w, x->part[p].op)->warp_barriers++;
}

void lower_warp_barrier(struct lower *l, const struct ptx_inst *i)
{
    struct ref mask = lower_source(l, &i->operand[0], 4);
    struct sim_op *op = lower_exchange(l, i, synchronize, mask, &mask, 1, NULL, 0);
    l->exchange.at[op->side].barrier = 1;
}

static void active_mask(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint32_t *d = warp_row(w, op->d);
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (mask >> i & 1) d[i] = mask;
}

void lower_activemask(struct lower *l, const struct ptx_inst *i)
{
    struct ref dst = lower_dest(l, &i->operand[0], 4, 0);
    lower_emit(l, active_mask, NULL, 0, &dst, 1);
}
