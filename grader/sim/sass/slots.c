// Computes how many SASS instructions ptxas generates for a PTX instruction: one, several, or none if another
// instruction does the PTX instruction's work.
//
// Technique. cost_of() first gives each PTX instruction a cost, i.e. a number of SASS instructions, by its operation
// and type. After cost_of(), fold() sets the cost of a PTX instruction to 0 if every instruction that reads its result
// can do its work, too. For example, a 32-bit multiplication costs nothing if only one addition reads the product,
// because ptxas then generates a multiply-add. The model ignores uniform registers, code that ptxas moves out of loops,
// and the moves that register allocation needs. Divisions and roots cost the number of instructions on the path that
// ordinary numbers take.
//
// The costs of PTX instructions in this file come from the SASS of the kernels of tests/truth and of the labs'
// reference solutions (see sass.h).
#include "ptx/opcode.h"
#include "sim/sass/sass.h"

static int is_wide(uint32_t type)
{
    return type == PTX_B64 || type == PTX_U64 || type == PTX_S64;
}

static int is_whole(uint32_t type)
{
    return type >= PTX_B8 && type <= PTX_S64;
}

// ---------------------------------------------------------------- cost of each instruction

// Gives the number of SASS instructions for each kind of PTX instruction, by the type and precision of the operation.
// Approximate float instructions that keep denormal numbers also need instructions that scale their operand and their
// result.
static const struct {
    uint8_t word, wide, approximate, scaled, exact, doubles;
} counts[SLOTS_COUNTED] = {
    [SLOTS_MATH] = {1, 2, 1, 1, 1, 1},          [SLOTS_NOTHING] = {0, 0, 0, 0, 0, 0},
    [SLOTS_NEGATE] = {1, 2, 0, 0, 0, 0},        [SLOTS_ABSOLUTE] = {1, 3, 0, 0, 0, 0},
    [SLOTS_EXTREME] = {1, 4, 1, 1, 1, 1},       [SLOTS_FIELD] = {2, 5, 1, 1, 1, 1},
    [SLOTS_DIVISION] = {17, 70, 3, 3, 10, 20},  [SLOTS_RECIPROCAL] = {1, 2, 1, 4, 8, 14},
    [SLOTS_ROOT] = {1, 2, 2, 5, 10, 20},        [SLOTS_INVERSE_ROOT] = {1, 2, 1, 4, 4, 20},
    [SLOTS_TRIGONOMETRIC] = {1, 2, 2, 2, 2, 2}, [SLOTS_EXPONENTIAL] = {1, 2, 1, 4, 4, 4},
};
enum { FULL_DIVISION = 7 };

static uint32_t counted(const struct ptx_inst *i, uint32_t slots)
{
    uint32_t type = i->type[0], exact = i->round && !(i->flags & PTX_APPROX);
    if (is_whole(type)) return is_wide(type) ? counts[slots].wide : counts[slots].word;
    if (type == PTX_F64) return counts[slots].doubles;
    if (exact) return counts[slots].exact;
    if (i->flags & PTX_FULL) return FULL_DIVISION;
    return type == PTX_F32 && !(i->flags & PTX_FTZ) ? counts[slots].scaled : counts[slots].approximate;
}

static uint32_t product_cost(const struct ptx_inst *i)
{
    if (!is_wide(i->type[0]) || i->part == PTX_PART_WIDE) return 1;
    return i->part == PTX_PART_HI ? 8 : 4;
}

static int is_loop_variable(const struct sass *s, const struct ptx_operand *o)
{
    return o->kind == PTX_OPERAND_REG && s->defs[o->index] > 1;
}

// Returns the number of SASS instructions for a mov. A mov of a constant or a register costs nothing, since the readers
// of its result use its source. A mov that sets the first value of a loop's variable to a constant costs one SASS
// instruction.
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

// Returns the number of SASS instructions for a branch. For a forward branch at which the lanes of a warp may diverge,
// ptxas adds a BSSY, and a BSYNC at the point where the lanes converge.
static uint32_t branch_cost(const struct sass *s, uint32_t k)
{
    const struct ptx_inst *i = &s->f->inst[k];
    uint32_t target = i->operand[0].index;
    if (i->guard == PTX_NO_REG) return target != k + 1;
    return target > k && s->varying[i->guard] && !sass_ends_kernel(s, target) ? 3 : 1;
}

// Returns the number of SASS instructions for an atomic. If all lanes of a warp add a constant to one address in global
// memory, ptxas lets one elected lane add the constant times the number of lanes. Additional SASS instructions elect
// the lane that executes the atomic, and count the active lanes.
static uint32_t atomic_cost(const struct sass *s, const struct ptx_inst *i)
{
    uint32_t address = ptx_destinations(i);
    const struct ptx_operand *value = &i->operand[address + 1];
    int elected = i->space != PTX_SHARED && value->kind == PTX_OPERAND_IMM;
    return elected && !sass_operand_varies(s, &i->operand[address]) ? 7 : 1;
}

static uint32_t cost_of(const struct sass *s, uint32_t k)
{
    const struct ptx_inst *i = &s->f->inst[k];
    uint32_t slots = instruction[i->op].slots, bytes = ptx_type_bytes((enum ptx_type)i->type[0]);
    switch (slots) {
    case SLOTS_MOVE:
        return mov_cost(s, i);
    case SLOTS_CONVERT:
        return cvt_cost(i);
    case SLOTS_ACCESS:
        return s->inst[k].merged != SIM_MERGED_AWAY;
    case SLOTS_BRANCH:
        return branch_cost(s, k);
    case SLOTS_SELECT:
        return bytes == 8 ? 2 : 1;
    case SLOTS_COMPARE:
        return bytes == 8 && is_whole(i->type[0]) ? 2 : 1;
    case SLOTS_ATOMIC:
        return atomic_cost(s, i);
    case SLOTS_PRODUCT:
        return product_cost(i);
    default:
        return counted(i, slots);
    }
}

// ---------------------------------------------------------------- folding into the reader

static int reads(const struct ptx_inst *i, uint32_t reg)
{
    for (uint32_t o = ptx_destinations(i); o < i->noperands; o++)
        if (i->operand[o].kind == PTX_OPERAND_REG && i->operand[o].index == reg) return 1;
    return 0;
}

static int is_address_of(const struct ptx_inst *i, uint32_t reg)
{
    const struct ptx_operand *o = &i->operand[ptx_destinations(i)];
    return instruction_does(i, E_LOAD | E_STORE) && o->kind == PTX_OPERAND_ADDRESS && o->base_kind == PTX_OPERAND_REG &&
           o->index == reg;
}

static int is_add(const struct ptx_inst *i, int wide)
{
    uint32_t value = instruction_value(i);
    return (value == VALUE_SUM || value == VALUE_DIFFERENCE) && is_whole(i->type[0]) && is_wide(i->type[0]) == wide;
}

static int is_logic(const struct ptx_inst *i)
{
    uint32_t value = instruction_value(i);
    return value >= VALUE_AND && value <= VALUE_NOT && i->type[0] != PTX_PRED;
}

// Returns 1 if instruction `by`, which reads the result of instruction `from`, can do the work of both instructions.
// Sets `*cost`, the number of SASS instructions for `by`, to 1 if `by` becomes a multiply-add.
static int folds(const struct ptx_inst *by, const struct ptx_inst *from, uint32_t *cost)
{
    uint32_t wide = (uint32_t)is_wide(from->type[0]);
    switch (instruction_value(from)) {
    case VALUE_PRODUCT:
        if (from->part == PTX_PART_WIDE && is_add(by, 1)) return (int)(*cost = 1); // IMAD.WIDE
        return from->part == PTX_PART_LO && is_add(by, (int)wide) && is_whole(from->type[0]) ? (int)(*cost = 1) : 0;
    case VALUE_SHIFT_LEFT: // LEA, and LEA.HI.X
        return from->operand[2].kind == PTX_OPERAND_IMM && is_add(by, (int)wide);
    case VALUE_SUM: // IADD3
    case VALUE_DIFFERENCE:
        return is_add(from, 0) && is_add(by, 0) && by->operand[2].kind != PTX_OPERAND_IMM;
    case VALUE_AND: // LOP3
    case VALUE_OR:
    case VALUE_XOR:
        if (from->type[0] == PTX_PRED) return 0;
        if (instruction_value(by) == VALUE_COMPARE && (by->cmp == PTX_EQ || by->cmp == PTX_NE)) // LOP3 sets predicates
            return by->operand[3].kind == PTX_OPERAND_IMM && !by->operand[3].bits;
        return is_logic(by) && by->operand[2].kind != PTX_OPERAND_IMM;
    default:
        return 0;
    }
}

// Reduces the cost of PTX instruction `k` (its number of SASS instructions) if every instruction that reads the result
// of `k` can also do the work of `k`. Reduces the cost to 3 if `k` is a 64-bit product, otherwise to 0. Changes nothing
// if several instructions read the result of PTX instruction `k`, unless `k` is a product that is cheap to compute
// again.
static void fold(struct sass *s, uint32_t k)
{
    const struct ptx_inst *i = &s->f->inst[k];
    const struct ptx_operand *d = &i->operand[0];
    if (d->kind != PTX_OPERAND_REG || ptx_destinations(i) != 1 || i->guard != PTX_NO_REG || s->defs[d->index] != 1)
        return;
    // ptxas computes a widening product, or a product with a constant, once for each reader, because such products are
    // cheap.
    int is_product = instruction_value(i) == VALUE_PRODUCT,
        is_scale = is_product && i->part == PTX_PART_LO && i->operand[2].kind == PTX_OPERAND_IMM;
    int many = is_scale || (is_product && i->part == PTX_PART_WIDE);
    if (!many && s->uses[d->index] != 1) return;
    uint32_t last = many ? s->f->ninsts : s->user[d->index] + 1, found = 0;
    for (uint32_t u = many ? k + 1 : s->user[d->index]; u < last && found < s->uses[d->index]; u++) {
        uint32_t cost = s->inst[u].slots;
        if (!reads(&s->f->inst[u], d->index)) continue;
        if (!folds(&s->f->inst[u], i, &cost)) return;
        found++;
    }
    if (found != s->uses[d->index]) return;
    for (uint32_t u = many ? k + 1 : s->user[d->index]; u < last; u++) {
        uint32_t cost = s->inst[u].slots;
        if (!reads(&s->f->inst[u], d->index) || !folds(&s->f->inst[u], i, &cost)) continue;
        s->inst[u].slots = (uint8_t)cost;
        s->inst[u].product = (uint8_t)is_product;
    }
    s->inst[k].slots = is_product && is_wide(i->type[0]) ? 3 : 0;
}

// Sets the cost of an addition of a constant to 0 if only loads and stores read the sum, as their address. In SASS, a
// load or store whose address is the sum of a register and a constant adds the constant itself, as an offset.
static void fold_offset(struct sass *s, uint32_t k)
{
    const struct ptx_inst *i = &s->f->inst[k];
    uint32_t reg = i->operand[0].index, found = 0;
    if (!(is_add(i, 0) || is_add(i, 1)) || i->operand[2].kind != PTX_OPERAND_IMM || s->defs[reg] != 1) return;
    for (uint32_t u = k + 1; u < s->f->ninsts && found < s->uses[reg]; u++)
        found += !reads(&s->f->inst[u], reg) && is_address_of(&s->f->inst[u], reg);
    if (found == s->uses[reg]) s->inst[k].slots = 0;
}

// Sets the cost of boolean operations on predicates to 0, because SASS comparisons such as ISETP.LT.AND combine
// predicates themselves.
static void fold_predicates(struct sass *s, uint32_t k)
{
    const struct ptx_inst *i = &s->f->inst[k];
    uint32_t value = instruction_value(i);
    if ((value == VALUE_AND || value == VALUE_OR || value == VALUE_NOT) && i->type[0] == PTX_PRED) s->inst[k].slots = 0;
}

// Adds the SASS instructions at the start of a kernel to the cost of the kernel's first PTX instruction. The SASS
// instructions at a kernel's start set up the stack pointer, the descriptor of global memory and the base of shared
// memory.
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
        fold(s, k);
        fold_offset(s, k);
        fold_predicates(s, k);
    }
    prologue(s);
}
