// Unrolls loops of PTX in the same way as ptxas does.
//
// The rules for unrolling come from ptxas 13.0.88 (-O3, sm_90), tested on some 900 PTX loops and on the loops of
// tests/truth. The compiler ptxas unrolls loops of one basic block whose iterations can be counted. An unrolled loop
// consists of three pieces of code. The first piece of an unrolled loop executes four iterations at once, as long as a
// thread has at least four iterations left. The second piece of an unrolled loop executes two iterations, and the third
// executes one.
//
// Threads of a warp with different numbers of remaining iterations run different pieces of an unrolled loop. A
// warp-wide memory request of the original loop therefore becomes several requests of fewer threads each in the
// unrolled loop. For example, in one kernel whose threads loop over rows of 1000 columns, an H200 counts 43 warp-wide
// loads, but the PTX without unrolling makes only 35.
//
// The conditions under which ptxas unrolls a loop concern the loop's counter, instructions and size.
//
//   - A register to which the loop adds a constant counts the iterations. The loop compares this counter with a value
//     that the loop does not change: by <, <=, > or >= in the direction of the step, or by !=. ptxas splits a loop into
//     pieces of four, two and one iterations only if the number of iterations is not a constant.
//   - The loop has no .pragma "nounroll", no branch of its own, no barrier, shuffle, vote, atomic, fence or call.
//   - The size of the loop is at most 49. To the size of a loop, a load or store adds 2, whatever its width, and
//     mad.wide adds 3. An approximate float instruction that keeps denormal numbers adds 6 to the size of a loop, or 7
//     if it is an rcp. An approximate division of floats adds 12 to the size of a loop, and a division of integers adds
//     21. Moves, changes of sign and absolute values add nothing to the size of a loop. An addition of a constant to a
//     register adds nothing to the size of a loop if the loop uses the register only as an address. Any other
//     instruction adds 1 to the size of a loop. A predicate on an instruction adds 1 more to the size of a loop, unless
//     the instruction itself adds nothing. In this file, the number that an instruction adds to the size of its loop is
//     the weight of the instruction.
//
// Technique. Before a PTX function is lowered, unroll_loops() inserts the same pieces of unrolled code that ptxas
// generates. The simulator executes the unrolled PTX, and takes the counters, the time and the findings of the kernel
// from this execution. A register that an iteration writes before reading it gets a new name in each copy of the
// iteration. An address register that every iteration advances by a constant is advanced once for all copies of the
// iteration, and the copies use larger constant offsets.
//
// The original loop remains as the last piece of an unrolled loop, so that all computed values are those of the PTX.
// The original loop handles a counter that wraps around, and a first iteration for which the loop's condition does not
// hold. Instructions that unroll_loops() adds, but for which ptxas generates no SASS, are marked `folded` and are not
// counted.
#include "sim/sass/unroll.h"

#include "ptx/opcode.h"
#include "sim/core/instruction.h"
#include "sim/sass/jumps.h"

#include <string.h>

enum { WEIGHT = 49, FACTOR = 4, BODY = 200, OFFSET = 1 << 28, MOST = 1 << 16 };
#define NEVER UINT32_MAX

struct loop {
    uint32_t head, test, branch;  // the first instruction, the comparison, the branch back
    uint32_t add;                 // the instruction that counts an iteration
    uint32_t counter, cmp, bytes; // the loop continues if "counter cmp limit"; bytes of the counter
    int64_t step;
    struct ptx_operand limit;
};

// Names the ways in which a loop uses a register, as bits that can be combined.
enum use {
    SET = 1,        // the loop writes it
    READ_FIRST = 2, // an iteration reads it before it writes it, or keeps its value because of a predicate
    OUTSIDE = 4,    // instructions outside the loop read it
    VALUE = 8,      // the loop reads it other than as an address, or to advance it by a constant
    BASE = 16,      // the loop reads it as an address
};

struct unroll {
    struct arena *arena;
    struct ptx_func *f;
    struct ptx_inst *inst; // instructions of the unrolled function
    uint32_t ninsts, capacity;
    struct ptx_reg *reg;
    uint32_t nregs, reg_capacity;
    struct ptx_operand *element;
    uint32_t nelements, element_capacity;
    uint32_t *now;       // [f->ninsts]: new index of an instruction
    uint32_t *place;     // [f->ninsts]: new index of the target of branches to an instruction
    uint8_t *closes;     // [f->ninsts]: 1: the branch back of an unrolled loop
    uint32_t *entries;   // [f->ninsts]: number of branches that lead to it
    uint32_t *defs;      // [f->nregs]: number of instructions that write it
    uint32_t *loop_defs; // [f->nregs]: number of instructions of the current loop that write it
    uint8_t *use;        // [f->nregs]: enum use
    uint32_t *name;      // [f->nregs]: new register in the current copy, plus one; 0: not renamed
};

// ---------------------------------------------------------------- uses of registers

// Returns the weight of an instruction, i.e. the number that the instruction adds to the size of its loop. Returns
// NEVER for an instruction that keeps ptxas from unrolling a loop.
static uint32_t weight_of(const struct ptx_inst *i)
{
    uint32_t weight = i->guard != PTX_NO_REG ? 2 : 1, type = i->type[0], exact = i->round && !(i->flags & PTX_APPROX);
    uint32_t scaled = i->flags & PTX_FTZ || type != PTX_F32 ? 0 : 5; // for denormal numbers
    switch (instruction[i->op].unroll) {
    case UNROLL_FREE:
        return 0;
    case UNROLL_ONE:
        return weight;
    case UNROLL_SUM:
        if (i->flags & PTX_CC) return NEVER;
        return instruction_value(i) == VALUE_PRODUCT_SUM && i->part == PTX_PART_WIDE ? weight + 2 : weight;
    case UNROLL_ACCESS:
        return i->sem > PTX_VOLATILE ? NEVER : weight + 1;
    case UNROLL_SCALED:
        return weight + scaled;
    case UNROLL_RECIPROCAL:
        return exact ? NEVER : weight + scaled + (scaled != 0);
    case UNROLL_ROOT:
        return exact ? NEVER : weight + scaled;
    case UNROLL_DIVISION:
        return type == PTX_F64 || exact ? NEVER : weight + (type == PTX_F32 ? 11 : 20);
    default:
        return NEVER;
    }
}

static int is_reg(const struct ptx_operand *o, uint32_t reg)
{
    return o->kind == PTX_OPERAND_REG && o->index == reg && !o->negate;
}

// Returns the constant that the instruction adds to a register, or 0 if the instruction does anything else.
static int64_t step_of(const struct ptx_inst *i)
{
    const struct ptx_operand *by = &i->operand[2];
    int is_whole = i->type[0] >= PTX_B32 && i->type[0] <= PTX_S64 && i->type[0] != PTX_B128 &&
                   ptx_type_bytes((enum ptx_type)i->type[0]) >= 4;
    if (instruction_value(i) != VALUE_SUM || i->guard != PTX_NO_REG || i->flags || !is_whole) return 0;
    if (i->operand[0].kind != PTX_OPERAND_REG || !is_reg(&i->operand[1], i->operand[0].index)) return 0;
    if (by->kind != PTX_OPERAND_IMM) return 0;
    int64_t step = ptx_type_bytes((enum ptx_type)i->type[0]) == 4 ? (int32_t)by->bits : (int64_t)by->bits;
    return step > -OFFSET && step < OFFSET ? step : 0;
}

static void note(struct unroll *u, const struct ptx_operand *o, uint32_t use)
{
    for (uint32_t e = 0; o->kind == PTX_OPERAND_VECTOR && e < o->count; e++) note(u, &u->f->element[o->index + e], use);
    int is_base = o->kind == PTX_OPERAND_ADDRESS && o->base_kind == PTX_OPERAND_REG;
    if (o->kind != PTX_OPERAND_REG && !is_base) return;
    uint8_t *all = &u->use[o->index];
    if (use == SET) u->loop_defs[o->index]++;
    if (use == VALUE && is_base) use = BASE;
    if (use & (VALUE | BASE | READ_FIRST) && !(*all & SET)) use |= READ_FIRST;
    *all |= (uint8_t)use;
}

static void note_loop(struct unroll *u, const struct loop *l)
{
    const struct ptx_func *f = u->f;
    memset(u->use, 0, f->nregs);
    memset(u->loop_defs, 0, f->nregs * sizeof *u->loop_defs);
    for (uint32_t k = l->head; k < l->branch; k++) {
        const struct ptx_inst *i = &f->inst[k];
        int moves = step_of(i) != 0, guarded = i->guard != PTX_NO_REG;
        if (guarded) note(u, &(struct ptx_operand){.kind = PTX_OPERAND_REG, .index = i->guard}, VALUE);
        for (uint32_t o = 0; o < i->noperands; o++)
            if (o >= ptx_destinations(i)) note(u, &i->operand[o], moves || k == l->test ? READ_FIRST : VALUE);
        for (uint32_t o = 0; o < i->noperands && o < ptx_destinations(i); o++) {
            if (guarded) note(u, &i->operand[o], READ_FIRST);
            note(u, &i->operand[o], SET);
        }
    }
    for (uint32_t k = 0; k < f->ninsts; k++) {
        const struct ptx_inst *i = &f->inst[k];
        if (k >= l->head && k <= l->branch) continue;
        if (i->guard != PTX_NO_REG) u->use[i->guard] |= OUTSIDE;
        for (uint32_t o = 0; o < i->noperands; o++) note(u, &i->operand[o], OUTSIDE);
    }
}

static void count_defs(struct unroll *u)
{
    const struct ptx_func *f = u->f;
    for (uint32_t k = 0; k < f->ninsts; k++) {
        const struct ptx_inst *i = &f->inst[k];
        if (i->noperands && i->operand[0].kind == PTX_OPERAND_REG) u->defs[i->operand[0].index]++;
    }
    jumps_count(f, u->entries);
}

// ---------------------------------------------------------------- loops that ptxas unrolls

// Returns the comparison that gives the same result with its operands swapped.
static uint32_t swapped(uint32_t cmp)
{
    return cmp == PTX_LT ? PTX_GT : cmp == PTX_GT ? PTX_LT : cmp == PTX_LE ? PTX_GE : cmp == PTX_GE ? PTX_LE : cmp;
}

// Returns 1 if the loop changes the register only by adding a constant once per iteration, and uses the register only
// as an address or in the loop's comparison.
static int moves_on(const struct unroll *u, uint32_t reg)
{
    return u->loop_defs[reg] == 1 && !(u->use[reg] & VALUE);
}

// Returns 1 if instruction l->test compares `counted`, a register that counts the loop's iterations, with a value that
// the loop does not change.
static int is_counter(const struct unroll *u, struct loop *l, const struct ptx_operand *counted, uint32_t cmp)
{
    const struct ptx_inst *t = &u->f->inst[l->test];
    int up = cmp == PTX_LT || cmp == PTX_LE, down = cmp == PTX_GT || cmp == PTX_GE;
    if (counted->kind != PTX_OPERAND_REG || counted->negate || u->loop_defs[counted->index] != 1) return 0;
    if (l->limit.negate ||
        (l->limit.kind != PTX_OPERAND_IMM && (l->limit.kind != PTX_OPERAND_REG || u->use[l->limit.index] & SET)))
        return 0;
    l->counter = counted->index;
    l->cmp = cmp;
    l->bytes = ptx_type_bytes((enum ptx_type)t->type[0]);
    for (l->add = l->head; l->add < l->test; l->add++) {
        const struct ptx_inst *i = &u->f->inst[l->add];
        l->step = step_of(i);
        if (!l->step || i->operand[0].index != l->counter) continue;
        return ptx_type_bytes((enum ptx_type)i->type[0]) == l->bytes &&
               ((up && l->step > 0) || (down && l->step < 0) || cmp == PTX_NE);
    }
    return 0;
}

static int find_counter(const struct unroll *u, struct loop *l)
{
    const struct ptx_inst *t = &u->f->inst[l->test];
    if (t->noperands != 4 || t->boolop || t->guard != PTX_NO_REG || t->operand[1].kind != PTX_OPERAND_NONE) return 0;
    if (t->type[0] < PTX_B32 || t->type[0] > PTX_S64 || ptx_type_bytes((enum ptx_type)t->type[0]) < 4) return 0;
    l->limit = t->operand[3];
    if (is_counter(u, l, &t->operand[2], t->cmp)) return 1;
    l->limit = t->operand[2];
    return is_counter(u, l, &t->operand[3], swapped(t->cmp));
}

// Returns 1 if the initial value of the loop's counter is a constant.
static int begins_with_constant(const struct unroll *u, uint32_t reg)
{
    for (uint32_t k = 0; u->defs[reg] == 2 && k < u->f->ninsts; k++) {
        const struct ptx_inst *i = &u->f->inst[k];
        if (instruction_value(i) == VALUE_COPY && is_reg(&i->operand[0], reg))
            return i->operand[1].kind == PTX_OPERAND_IMM;
    }
    return 0;
}

static uint32_t weight_of_loop(const struct unroll *u, const struct loop *l)
{
    uint32_t weight = 1; // the branch
    for (uint32_t k = l->head; k < l->branch; k++) {
        const struct ptx_inst *i = &u->f->inst[k];
        uint32_t reg = i->operand[0].index;
        if (step_of(i) && moves_on(u, reg) && (reg != l->counter || u->use[reg] & BASE)) continue;
        // An index that is the loop's counter times a constant is advanced by a constant in each iteration, like an
        // address.
        if (instruction_value(i) == VALUE_PRODUCT && i->part == PTX_PART_WIDE && is_reg(&i->operand[1], l->counter))
            continue;
        weight += weight_of(i);
    }
    return weight;
}

// Returns 1 if instruction `branch` is the backward branch of a loop that ptxas unrolls.
static int find_loop(struct unroll *u, uint32_t branch, struct loop *l)
{
    const struct ptx_func *f = u->f;
    const struct ptx_inst *b = &f->inst[branch];
    *l = (struct loop){.head = b->operand[0].index, .branch = branch, .test = NEVER};
    if (b->guard == PTX_NO_REG || b->guard_negated || l->head >= branch || branch - l->head > BODY) return 0;
    if (branch + 1 == f->ninsts || f->inst[l->head].nounroll || u->entries[branch]) return 0;
    for (uint32_t k = l->head; k < branch; k++) {
        const struct ptx_inst *i = &f->inst[k];
        if (weight_of(i) == NEVER || (k > l->head && u->entries[k])) return 0;
        if (instruction_value(i) == VALUE_COMPARE && is_reg(&i->operand[0], b->guard)) l->test = k;
    }
    if (l->test == NEVER) return 0;
    note_loop(u, l);
    if (u->loop_defs[b->guard] != 1 || u->use[b->guard] & (OUTSIDE | VALUE) || !find_counter(u, l)) return 0;
    if (l->limit.kind == PTX_OPERAND_IMM && begins_with_constant(u, l->counter)) return 0;
    return weight_of_loop(u, l) <= WEIGHT;
}

// ---------------------------------------------------------------- the unrolled function

static void *grow(struct unroll *u, void *at, uint32_t count, uint32_t *capacity, size_t size)
{
    if (count < *capacity) return at;
    uint32_t more = *capacity ? *capacity * 2 : 64;
    void *moved = arena_array(u->arena, more, size);
    if (count) memcpy(moved, at, count * size);
    *capacity = more;
    return moved;
}

static struct ptx_inst *push(struct unroll *u, const struct ptx_inst *i)
{
    u->inst = grow(u, u->inst, u->ninsts, &u->capacity, sizeof *u->inst);
    u->inst[u->ninsts] = *i;
    return &u->inst[u->ninsts++];
}

// Appends instruction `k` of the original function (u->f) to the unrolled function (u->inst), unchanged.
static void keep(struct unroll *u, uint32_t k)
{
    u->place[k] = u->now[k] = u->ninsts;
    push(u, &u->f->inst[k]);
}

static uint32_t new_reg(struct unroll *u, const char *name, uint32_t type)
{
    u->reg = grow(u, u->reg, u->nregs, &u->reg_capacity, sizeof *u->reg);
    u->reg[u->nregs] = (struct ptx_reg){.name = name, .type = (uint8_t)type};
    return u->nregs++;
}

// Returns the register that replaces register `reg` in the current copy of a loop iteration.
static uint32_t renamed(struct unroll *u, uint32_t reg, int is_last)
{
    uint32_t use = u->use[reg];
    if (!(use & SET) || use & READ_FIRST || (is_last && use & OUTSIDE)) return reg;
    if (!u->name[reg]) u->name[reg] = new_reg(u, u->f->reg[reg].name, u->f->reg[reg].type) + 1;
    return u->name[reg] - 1;
}

// Returns the constant that must be added to an address register in copy number `copy` of `factor` copies of a loop
// iteration. In the original loop, every iteration advances the address register by `step`. In the unrolled loop, only
// the last copy of the iteration advances the address register, by `factor` times `step`. `passed` is 1 if the
// instruction that uses the address register stands after the instruction that advances the register.
static int64_t lag(int64_t step, uint32_t copy, uint32_t factor, int passed)
{
    return passed && copy + 1 == factor ? 0 : step * (int64_t)(copy + (uint32_t)passed);
}

// Returns operand `from` of instruction `at` as it must be in one copy of the loop iteration. The copy has number
// `copy`, counted from 0, and an iteration of the unrolled loop consists of `factor` copies.
static struct ptx_operand operand_of(struct unroll *u, const struct loop *l, const struct ptx_operand *from,
                                     uint32_t at, uint32_t copy, uint32_t factor)
{
    struct ptx_operand o = *from;
    int is_last = copy + 1 == factor, is_base = o.kind == PTX_OPERAND_ADDRESS && o.base_kind == PTX_OPERAND_REG;
    if (o.kind == PTX_OPERAND_VECTOR) {
        struct ptx_operand element[16];
        for (uint32_t e = 0; e < o.count && e < 16; e++)
            element[e] = operand_of(u, l, &u->f->element[from->index + e], at, copy, factor);
        o.index = u->nelements;
        for (uint32_t e = 0; e < o.count && e < 16; e++) {
            u->element = grow(u, u->element, u->nelements, &u->element_capacity, sizeof *u->element);
            u->element[u->nelements++] = element[e];
        }
    }
    if (o.kind != PTX_OPERAND_REG && !is_base) return o;
    if (is_base && moves_on(u, o.index)) {
        for (uint32_t k = l->head; k < l->branch; k++)
            if (step_of(&u->f->inst[k]) && u->f->inst[k].operand[0].index == o.index)
                o.bits += (uint64_t)lag(step_of(&u->f->inst[k]), copy, factor, k < at);
    }
    o.index = renamed(u, o.index, is_last);
    return o;
}

// Appends copy number `copy` of `factor` copies of a loop iteration to u->inst, the instructions of the unrolled
// function. Omits the loop's comparison and branch. Only the last copy advances the address registers, by the steps of
// all copies.
static void copy_iteration(struct unroll *u, const struct loop *l, uint32_t copy, uint32_t factor)
{
    memset(u->name, 0, u->f->nregs * sizeof *u->name);
    for (uint32_t k = l->head; k < l->branch; k++) {
        struct ptx_inst i = u->f->inst[k];
        int64_t step = step_of(&i);
        int moves = step && moves_on(u, i.operand[0].index);
        if (k == l->test || (moves && copy + 1 < factor)) continue;
        for (uint32_t o = 0; o < i.noperands; o++) i.operand[o] = operand_of(u, l, &i.operand[o], k, copy, factor);
        if (moves) i.operand[2].bits = (uint64_t)(step * (int64_t)factor);
        if (i.guard != PTX_NO_REG) i.guard = renamed(u, i.guard, copy + 1 == factor);
        i.copy_of = k + 1;
        push(u, &i);
    }
}

// Holds the registers for the comparisons that unrolling adds to one loop, to decide which piece of the unrolled loop
// runs.
struct tests {
    uint32_t left, in_order, enough,
        ran; // iterations left; counter not past the limit; enough left; a copy was executed
};

static struct ptx_operand reg_operand(uint32_t reg, int negate)
{
    return (struct ptx_operand){.kind = PTX_OPERAND_REG, .index = reg, .negate = (uint8_t)negate};
}

static struct ptx_operand constant_operand(uint64_t bits)
{
    return (struct ptx_operand){.kind = PTX_OPERAND_IMM, .bits = bits};
}

static struct ptx_inst new_inst(const struct unroll *u, const struct loop *l, enum ptx_op op, uint32_t type, int folded)
{
    const struct ptx_inst *b = &u->f->inst[l->branch];
    return (struct ptx_inst){.op = (uint16_t)op,
                             .type = {(uint8_t)type},
                             .vec = 1,
                             .guard = PTX_NO_REG,
                             .line = b->line,
                             .column = b->column,
                             .loc = b->loc,
                             .copy_of = l->branch + 1,
                             .folded = (uint8_t)folded};
}

static void compare(struct unroll *u, const struct loop *l, uint32_t type, uint32_t cmp, uint32_t to,
                    struct ptx_operand a, struct ptx_operand b, int folded)
{
    struct ptx_inst i = new_inst(u, l, PTX_OP_setp, type, folded);
    i.cmp = (uint8_t)cmp;
    i.noperands = 4;
    i.operand[0] = reg_operand(to, 0);
    i.operand[2] = a;
    i.operand[3] = b;
    push(u, &i);
}

// Changes the last instruction in u->inst, a setp, so that setp combines the result of its comparison with the
// predicate `with`.
static void combine_last(struct unroll *u, enum ptx_bool by, struct ptx_operand with)
{
    struct ptx_inst *i = &u->inst[u->ninsts - 1];
    i->boolop = (uint8_t)by;
    i->operand[i->noperands++] = with;
}

// Appends instructions to the unrolled function (u->inst) that set the predicate t->enough if the loop has at least
// `factor` iterations left. The predicate t->enough is right even if the loop's counter is near the ends of its type's
// range.
static void test_iterations(struct unroll *u, const struct loop *l, const struct tests *t, uint32_t factor, int again)
{
    int wide = l->bytes == 8, down = l->step < 0;
    struct ptx_operand counter = reg_operand(l->counter, 0);
    uint32_t type = wide ? PTX_U64 : PTX_U32, its = u->f->inst[l->test].type[0];
    uint64_t least = (uint64_t)(down ? -l->step : l->step) * (factor - 1);
    struct ptx_inst i = new_inst(u, l, PTX_OP_sub, type, again);
    i.noperands = 3;
    i.operand[0] = reg_operand(t->left, 0);
    i.operand[1] = down ? counter : l->limit;
    i.operand[2] = down ? l->limit : counter;
    push(u, &i);
    if (l->cmp == PTX_NE) {
        compare(u, l, wide ? PTX_S64 : PTX_S32, PTX_GT, t->enough, reg_operand(t->left, 0), constant_operand(least), 0);
        return;
    }
    int equal = l->cmp == PTX_LE || l->cmp == PTX_GE;
    compare(u, l, its, l->cmp, t->in_order, counter, l->limit, 1);
    compare(u, l, type, equal ? PTX_GE : PTX_GT, t->enough, reg_operand(t->left, 0), constant_operand(least), 0);
    combine_last(u, PTX_BOOL_AND, reg_operand(t->in_order, 0));
}

static void set_ran(struct unroll *u, const struct loop *l, const struct tests *t, int value)
{
    compare(u, l, PTX_U32, value ? PTX_EQ : PTX_NE, t->ran, constant_operand(0), constant_operand(0), 1);
}

// Appends to the unrolled function (u->inst) a branch instruction whose target is set later. Returns the index of the
// branch instruction in u->inst.
static uint32_t branch(struct unroll *u, const struct loop *l, uint32_t guard, int negated)
{
    struct ptx_inst i = new_inst(u, l, PTX_OP_bra, PTX_NONE, 0);
    i.guard = guard;
    i.guard_negated = (uint8_t)negated;
    i.noperands = 1;
    i.operand[0].kind = PTX_OPERAND_LABEL;
    push(u, &i);
    return u->ninsts - 1;
}

static void write_loop(struct unroll *u, const struct loop *l)
{
    struct tests t = {new_reg(u, "%left", l->bytes == 8 ? PTX_U64 : PTX_U32), new_reg(u, "%in_order", PTX_PRED),
                      new_reg(u, "%enough", PTX_PRED), new_reg(u, "%ran", PTX_PRED)};
    uint32_t head = u->ninsts;
    test_iterations(u, l, &t, FACTOR, 0);
    set_ran(u, l, &t, 0);
    uint32_t over_four = branch(u, l, t.enough, 1), four = u->ninsts;
    for (uint32_t copy = 0; copy < FACTOR; copy++) copy_iteration(u, l, copy, FACTOR);
    set_ran(u, l, &t, 1);
    test_iterations(u, l, &t, FACTOR, 1);
    uint32_t back = branch(u, l, t.enough, 0);
    u->inst[back].operand[0].index = four;
    u->inst[over_four].operand[0].index = u->ninsts;
    test_iterations(u, l, &t, FACTOR / 2, 0);
    uint32_t over_two = branch(u, l, t.enough, 1);
    for (uint32_t copy = 0; copy < FACTOR / 2; copy++) copy_iteration(u, l, copy, FACTOR / 2);
    set_ran(u, l, &t, 1);
    u->inst[over_two].operand[0].index = u->ninsts;
    compare(u, l, u->f->inst[l->test].type[0], l->cmp, t.enough, reg_operand(l->counter, 0), l->limit, 0);
    combine_last(u, PTX_BOOL_OR, reg_operand(t.ran, 1));
    uint32_t over_one = branch(u, l, t.enough, 1);
    for (uint32_t k = l->head; k <= l->branch; k++) keep(u, k);
    if (l->cmp != PTX_NE) u->inst[u->now[l->test]].folded = u->inst[u->now[l->branch]].folded = 1;
    u->inst[over_one].operand[0].index = u->ninsts;
    u->place[l->head] = head;
    u->closes[l->branch] = 1;
}

// Replaces the function's instructions by the unrolled instructions (u->inst), and updates all indices of instructions.
static void renumber(struct unroll *u)
{
    struct ptx_func *f = u->f;
    for (uint32_t k = 0; k < f->ninsts; k++) {
        struct ptx_operand *to = &u->inst[u->now[k]].operand[0];
        if (ptx_is_branch(&f->inst[k])) to->index = u->closes[k] ? u->now[to->index] : u->place[to->index];
    }
    for (uint32_t k = 0; k < u->ninsts; k++)
        if (u->inst[k].copy_of) u->inst[k].copy_of = u->now[u->inst[k].copy_of - 1] + 1;
    jumps_renumber(f, u->place);
    f->inst = u->inst;
    f->ninsts = u->ninsts;
    f->reg = u->reg;
    f->nregs = u->nregs;
    f->element = u->element;
    f->nelements = u->nelements;
}

static void unroll(struct unroll *u)
{
    const struct ptx_func *f = u->f;
    uint32_t n = f->ninsts, written = 0, found = 0;
    struct loop *loop = ARENA_ARRAY(u->arena, n, struct loop);
    for (uint32_t k = 0; k < n; k++)
        if (ptx_is_branch(&f->inst[k]) && f->inst[k].operand[0].index < k) found += find_loop(u, k, &loop[found]);
    if (!found) return;
    for (uint32_t r = 0; r < f->nregs; r++) new_reg(u, f->reg[r].name, f->reg[r].type);
    for (; u->nelements < f->nelements; u->nelements++) {
        u->element = grow(u, u->element, u->nelements, &u->element_capacity, sizeof *u->element);
        u->element[u->nelements] = f->element[u->nelements];
    }
    for (uint32_t k = 0; k < found; k++) {
        for (; written < loop[k].head; written++) keep(u, written);
        note_loop(u, &loop[k]);
        write_loop(u, &loop[k]);
        written = loop[k].branch + 1;
    }
    for (; written < n; written++) keep(u, written);
    renumber(u);
}

void unroll_loops(struct ptx_module *m)
{
    for (uint32_t k = 0; k < m->nfuncs && !m->is_debug; k++) {
        struct ptx_func *f = &m->func[k];
        if (!f->ninsts || f->ninsts > MOST) continue;
        struct unroll u = {.arena = &m->arena, .f = f};
        u.place = ARENA_ARRAY(u.arena, f->ninsts, uint32_t);
        u.now = ARENA_ARRAY(u.arena, f->ninsts, uint32_t);
        u.entries = ARENA_ARRAY(u.arena, f->ninsts, uint32_t);
        u.closes = ARENA_ARRAY(u.arena, f->ninsts, uint8_t);
        u.defs = ARENA_ARRAY(u.arena, f->nregs + 1, uint32_t);
        u.loop_defs = ARENA_ARRAY(u.arena, f->nregs + 1, uint32_t);
        u.name = ARENA_ARRAY(u.arena, f->nregs + 1, uint32_t);
        u.use = ARENA_ARRAY(u.arena, f->nregs + 1, uint8_t);
        count_defs(&u);
        unroll(&u);
    }
}
