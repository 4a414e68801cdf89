// How many SASS instructions a PTX instruction becomes: none where another takes it in, or several.
//
// Technique. Each instruction has a cost of its own by its operation and type (cost_of); then instructions whose result
// only goes into others that can take it in cost nothing (absorb). What is not seen here: values that ptxas keeps in
// uniform registers, what it moves out of loops and the loops it unrolls; moves between registers that its allocation
// needs. A division or root is counted with the way that ordinary numbers take.
// Source: SASS of the kernels of tests/truth and of the labs' references (see sass.h).
#include "sim/lower/sass.h"

static int is_wide(uint32_t type)
{
    return type == PTX_B64 || type == PTX_U64 || type == PTX_S64;
}

static int is_whole(uint32_t type)
{
    return type >= PTX_B8 && type <= PTX_S64;
}

// ---------------------------------------------------------------- by themselves

// Approximations that keep denormal numbers scale what they read and what they give.
static uint32_t special_cost(const struct ptx_inst *i)
{
    int scaled = !(i->flags & PTX_FTZ) && i->type[0] == PTX_F32, exact = !(i->flags & PTX_APPROX) && i->round;
    int wide = i->type[0] == PTX_F64;
    switch (i->op) {
    case PTX_OP_div:
        return wide ? 20 : exact ? 10 : i->flags & PTX_FULL ? 7 : 3;
    case PTX_OP_rcp:
        return wide ? 14 : exact ? 8 : scaled ? 4 : 1;
    case PTX_OP_sqrt:
        return wide ? 20 : exact ? 10 : scaled ? 5 : 2;
    case PTX_OP_rsqrt:
        return wide ? 20 : scaled ? 4 : 1;
    case PTX_OP_sin:
    case PTX_OP_cos:
        return 2;
    case PTX_OP_ex2:
    case PTX_OP_lg2:
        return scaled ? 4 : 1;
    default:
        return 1;
    }
}

static uint32_t whole_cost(const struct ptx_inst *i)
{
    int wide = is_wide(i->type[0]);
    switch (i->op) {
    case PTX_OP_mul:
    case PTX_OP_mad:
        return !wide || i->part == PTX_PART_WIDE ? 1 : i->part == PTX_PART_HI ? 8 : 4;
    case PTX_OP_div:
    case PTX_OP_rem:
        return wide ? 70 : 17;
    case PTX_OP_min:
    case PTX_OP_max:
        return wide ? 4 : 1;
    case PTX_OP_clz:
    case PTX_OP_bfe:
    case PTX_OP_bfi:
        return wide ? 5 : 2;
    case PTX_OP_abs:
        return wide ? 3 : 1;
    default:
        return wide ? 2 : 1;
    }
}

static int is_loop_variable(const struct sass *s, const struct ptx_operand *o)
{
    return o->kind == PTX_OPERAND_REG && s->defs[o->index] > 1;
}

// Constants and copies are taken in by whoever reads them, but for the first value of a loop's variable.
static uint32_t mov_cost(const struct sass *s, const struct ptx_inst *i)
{
    const struct ptx_operand *from = &i->operand[1];
    if (from->kind == PTX_OPERAND_SREG) return 1;
    return from->kind == PTX_OPERAND_IMM && is_loop_variable(s, &i->operand[0]);
}

static uint32_t cvt_cost(const struct ptx_inst *i)
{
    uint32_t to = i->type[0], from = i->type[1];
    if (!is_whole(to) || !is_whole(from)) return 1;
    if (to == PTX_S64 && from == PTX_S32) return 1; // the upper half is the sign
    return ptx_type_bytes((enum ptx_type)to) < 4 || ptx_type_bytes((enum ptx_type)from) < 4;
}

int sass_ends_kernel(const struct sass *s, uint32_t target)
{
    const struct ptx_inst *i = &s->f->inst[target];
    return s->f->is_entry && (i->op == PTX_OP_ret || i->op == PTX_OP_exit);
}

// A branch forward that lanes may take apart brings a BSSY, and a BSYNC where they meet again.
static uint32_t branch_cost(const struct sass *s, uint32_t k)
{
    const struct ptx_inst *i = &s->f->inst[k];
    uint32_t target = i->operand[0].index;
    if (i->guard == PTX_NO_REG) return target != k + 1;
    return target > k && s->varying[i->guard] && !sass_ends_kernel(s, target) ? 3 : 1;
}

static uint32_t cost_of(const struct sass *s, uint32_t k)
{
    const struct ptx_inst *i = &s->f->inst[k];
    switch (i->op) {
    case PTX_OP_mov:
        return mov_cost(s, i);
    case PTX_OP_cvta:
        return 0;
    case PTX_OP_cvt:
        return cvt_cost(i);
    case PTX_OP_ld:
    case PTX_OP_st:
        return s->inst[k].merged != SIM_MERGED_AWAY;
    case PTX_OP_bra:
        return branch_cost(s, k);
    case PTX_OP_neg:
    case PTX_OP_abs:
    case PTX_OP_not:
        return is_whole(i->type[0]) && i->op != PTX_OP_not ? whole_cost(i) : 0;
    case PTX_OP_selp:
    case PTX_OP_setp:
        return ptx_type_bytes((enum ptx_type)i->type[0]) == 8 && (i->op == PTX_OP_selp || is_whole(i->type[0])) ? 2 : 1;
    case PTX_OP_red:
    case PTX_OP_atom: // one lane adds for all: it is elected, the others are counted
        return i->space != PTX_SHARED && i->operand[i->op == PTX_OP_atom ? 2 : 1].kind == PTX_OPERAND_IMM &&
                       !sass_operand_varies(s, &i->operand[i->op == PTX_OP_atom ? 1 : 0])
                   ? 7
                   : 1;
    default:
        return is_whole(i->type[0]) ? whole_cost(i) : special_cost(i);
    }
}

// ---------------------------------------------------------------- taken in by others

static int reads(const struct ptx_inst *i, uint32_t reg)
{
    for (uint32_t o = sass_dests(i); o < i->noperands; o++)
        if (i->operand[o].kind == PTX_OPERAND_REG && i->operand[o].index == reg) return 1;
    return 0;
}

static int is_address_of(const struct ptx_inst *i, uint32_t reg)
{
    const struct ptx_operand *o = &i->operand[i->op == PTX_OP_st ? 0 : 1];
    return (i->op == PTX_OP_ld || i->op == PTX_OP_st) && o->kind == PTX_OPERAND_ADDRESS &&
           o->base_kind == PTX_OPERAND_REG && o->index == reg;
}

static int is_add(const struct ptx_inst *i, int wide)
{
    return (i->op == PTX_OP_add || i->op == PTX_OP_sub) && is_whole(i->type[0]) && is_wide(i->type[0]) == wide;
}

static int is_logic(const struct ptx_inst *i)
{
    return (i->op == PTX_OP_and || i->op == PTX_OP_or || i->op == PTX_OP_xor || i->op == PTX_OP_not) &&
           i->type[0] != PTX_PRED;
}

// 1 when instruction k takes in the one result of `from`, and its own cost in *cost where that changes.
static int takes_in(const struct ptx_inst *by, const struct ptx_inst *from, uint32_t *cost)
{
    uint32_t wide = (uint32_t)is_wide(from->type[0]);
    switch (from->op) {
    case PTX_OP_mul:
        if (from->part == PTX_PART_WIDE && is_add(by, 1)) return (int)(*cost = 1); // IMAD.WIDE
        return from->part == PTX_PART_LO && is_add(by, (int)wide) && is_whole(from->type[0]) ? (int)(*cost = 1) : 0;
    case PTX_OP_shl: // LEA, and LEA.HI.X
        return from->operand[2].kind == PTX_OPERAND_IMM && is_add(by, (int)wide);
    case PTX_OP_add: // IADD3
    case PTX_OP_sub:
        return is_add(from, 0) && is_add(by, 0) && by->operand[2].kind != PTX_OPERAND_IMM;
    case PTX_OP_and: // LOP3
    case PTX_OP_or:
    case PTX_OP_xor:
        if (from->type[0] == PTX_PRED) return 0;
        if (by->op == PTX_OP_setp && (by->cmp == PTX_EQ || by->cmp == PTX_NE)) // LOP3 sets predicates
            return by->operand[3].kind == PTX_OPERAND_IMM && !by->operand[3].bits;
        return is_logic(by) && by->operand[2].kind != PTX_OPERAND_IMM;
    default:
        return 0;
    }
}

// A result that every reader takes in costs nothing where it is made.
static void absorb(struct sass *s, uint32_t k)
{
    const struct ptx_inst *i = &s->f->inst[k];
    const struct ptx_operand *d = &i->operand[0];
    if (d->kind != PTX_OPERAND_REG || sass_dests(i) != 1 || i->guard != PTX_NO_REG || s->defs[d->index] != 1) return;
    // Cheap enough to be made for each reader.
    int is_scale = i->op == PTX_OP_mul && i->part == PTX_PART_LO && i->operand[2].kind == PTX_OPERAND_IMM;
    int many = is_scale || (i->op == PTX_OP_mul && i->part == PTX_PART_WIDE);
    if (!many && s->uses[d->index] != 1) return;
    uint32_t last = many ? s->f->ninsts : s->user[d->index] + 1, found = 0;
    for (uint32_t u = many ? k + 1 : s->user[d->index]; u < last && found < s->uses[d->index]; u++) {
        uint32_t cost = s->inst[u].slots;
        if (!reads(&s->f->inst[u], d->index)) continue;
        if (!takes_in(&s->f->inst[u], i, &cost)) return;
        found++;
    }
    if (found != s->uses[d->index]) return;
    for (uint32_t u = many ? k + 1 : s->user[d->index]; u < last; u++) {
        uint32_t cost = s->inst[u].slots;
        if (!reads(&s->f->inst[u], d->index) || !takes_in(&s->f->inst[u], i, &cost)) continue;
        s->inst[u].slots = (uint8_t)cost;
        s->inst[u].product = i->op == PTX_OP_mul;
    }
    s->inst[k].slots = i->op == PTX_OP_mul && is_wide(i->type[0]) ? 3 : 0;
}

// A constant that is added to make nothing but addresses becomes their offset.
static void absorb_offset(struct sass *s, uint32_t k)
{
    const struct ptx_inst *i = &s->f->inst[k];
    uint32_t reg = i->operand[0].index, found = 0;
    if (!(is_add(i, 0) || is_add(i, 1)) || i->operand[2].kind != PTX_OPERAND_IMM || s->defs[reg] != 1) return;
    for (uint32_t u = k + 1; u < s->f->ninsts && found < s->uses[reg]; u++)
        found += !reads(&s->f->inst[u], reg) && is_address_of(&s->f->inst[u], reg);
    if (found == s->uses[reg]) s->inst[k].slots = 0;
}

// Comparisons take in the logic that joins them: ISETP.…AND.
static void absorb_predicates(struct sass *s, uint32_t k)
{
    const struct ptx_inst *i = &s->f->inst[k];
    if ((i->op == PTX_OP_and || i->op == PTX_OP_or || i->op == PTX_OP_not) && i->type[0] == PTX_PRED)
        s->inst[k].slots = 0;
}

// What a kernel begins with: its stack pointer, the descriptor of global memory, the base of shared memory.
static void prologue(struct sass *s)
{
    int global = 0, shared = 0;
    for (uint32_t k = 0; k < s->f->ninsts; k++) {
        const struct ptx_inst *i = &s->f->inst[k];
        global |= i->space == PTX_GLOBAL && i->op != PTX_OP_cvta;
        shared |= i->space == PTX_SHARED;
    }
    if (s->f->is_entry) s->inst[0].slots = (uint8_t)(s->inst[0].slots + 1 + global + 3 * shared);
}

void sass_slots(struct sass *s)
{
    for (uint32_t k = 0; k < s->f->ninsts; k++) s->inst[k].slots = (uint8_t)cost_of(s, k);
    for (uint32_t k = 0; k < s->f->ninsts; k++) {
        absorb(s, k);
        absorb_offset(s, k);
        absorb_predicates(s, k);
    }
    prologue(s);
}
