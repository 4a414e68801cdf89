// Analyses the values in a function's PTX registers. The analysis finds which instructions write and read a register,
// which low bits are always zero, and which values differ between the lanes of a warp. The analysis also describes an
// address as the sum of a root, which is a register or a symbol, and a constant.
//
// Technique. PTX registers are nearly in SSA form: most registers are written once, and the other registers are
// variables of loops. The analysis of register values ignores the order of instructions. The result of the analysis for
// a register therefore holds for the values of all instructions that write the register. sass_values() starts by
// assuming that every register has many zero bits and the same value in all lanes. Each pass of sass_values() over the
// function only reduces the zero bits or marks registers as different between lanes, so the number of passes is
// limited.
#include "ptx/opcode.h"
#include "sim/sass/sass.h"

enum { ROUNDS = 100 };

// ---------------------------------------------------------------- writers and readers

static void note_operand(struct sass *s, const struct ptx_operand *o, uint32_t inst, int writes)
{
    for (uint32_t e = 0; o->kind == PTX_OPERAND_VECTOR && e < o->count; e++)
        note_operand(s, &s->f->element[o->index + e], inst, writes);
    int is_base = o->kind == PTX_OPERAND_ADDRESS && o->base_kind == PTX_OPERAND_REG;
    if (o->kind != PTX_OPERAND_REG && !is_base) return;
    if (writes && !is_base) {
        s->defs[o->index]++;
        s->def[o->index] = inst;
    } else {
        s->uses[o->index]++;
        s->user[o->index] = inst;
    }
}

static void note_uses(struct sass *s)
{
    for (uint32_t k = 0; k < s->f->ninsts; k++) {
        const struct ptx_inst *i = &s->f->inst[k];
        uint32_t dests = ptx_destinations(i);
        for (uint32_t o = 0; o < i->noperands; o++) note_operand(s, &i->operand[o], k, o < dests);
        if (i->guard == PTX_NO_REG) continue;
        s->uses[i->guard]++;
        s->user[i->guard] = k;
    }
}

// ---------------------------------------------------------------- low bits that are zero

static uint32_t trailing_zeros(uint64_t bits)
{
    uint32_t n = bits ? (uint32_t)__builtin_ctzll(bits) : SASS_ZEROS;
    return n < SASS_ZEROS ? n : SASS_ZEROS;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t symbol_zeros(const struct lower *l, uint32_t var)
{
    const struct ptx_var *v = &l->module->var[var];
    return trailing_zeros(v->space == PTX_SHARED ? l->shared->offset[var] | 128 : v->align);
}

uint32_t sass_root_zeros(const struct sass *s, uint32_t root)
{
    return root & SASS_SYMBOL ? symbol_zeros(s->l, root & ~SASS_SYMBOL) : s->zeros[root];
}

static uint32_t operand_zeros(const struct sass *s, const struct ptx_operand *o)
{
    switch (o->kind) {
    case PTX_OPERAND_REG:
        return s->zeros[o->index];
    case PTX_OPERAND_IMM:
        return trailing_zeros(o->bits);
    case PTX_OPERAND_SYMBOL:
        return smaller(symbol_zeros(s->l, o->index), trailing_zeros(o->bits));
    default:
        return 0;
    }
}

static uint32_t result_zeros(const struct sass *s, const struct ptx_inst *i)
{
    uint32_t z[4] = {0};
    for (uint32_t o = 1; o < i->noperands && o < 4; o++) z[o] = operand_zeros(s, &i->operand[o]);
    const struct ptx_operand *b = &i->operand[2];
    uint32_t product = i->part == PTX_PART_HI ? 0 : smaller(z[1] + z[2], SASS_ZEROS);
    switch (instruction_value(i)) {
    case VALUE_COPY:
    case VALUE_NEGATE:
        return z[1];
    case VALUE_CONVERT:
        return i->type[0] >= PTX_B8 && i->type[0] <= PTX_S64 && i->type[1] <= PTX_S64 ? z[1] : 0;
    case VALUE_SUM:
    case VALUE_DIFFERENCE:
    case VALUE_OR:
    case VALUE_XOR:
    case VALUE_SELECT:
        return smaller(z[1], z[2]);
    case VALUE_AND:
        return z[1] > z[2] ? z[1] : z[2];
    case VALUE_PRODUCT:
        return product;
    case VALUE_PRODUCT_SUM:
        return smaller(product, z[3]);
    case VALUE_SHIFT_LEFT:
        return b->kind == PTX_OPERAND_IMM ? smaller(z[1] + (uint32_t)smaller((uint32_t)b->bits, 64), SASS_ZEROS) : z[1];
    case VALUE_SHIFT_RIGHT:
        return b->kind == PTX_OPERAND_IMM && b->bits < z[1] ? z[1] - (uint32_t)b->bits : 0;
    default:
        return 0;
    }
}

// ---------------------------------------------------------------- lanes that differ

int sass_operand_varies(const struct sass *s, const struct ptx_operand *o)
{
    if (o->kind == PTX_OPERAND_SREG)
        return o->index == PTX_SREG_tid || o->index == PTX_SREG_laneid ||
               (o->index >= PTX_SREG_lanemask_eq && o->index <= PTX_SREG_lanemask_gt);
    for (uint32_t e = 0; o->kind == PTX_OPERAND_VECTOR && e < o->count; e++)
        if (sass_operand_varies(s, &s->f->element[o->index + e])) return 1;
    return (o->kind == PTX_OPERAND_REG || (o->kind == PTX_OPERAND_ADDRESS && o->base_kind == PTX_OPERAND_REG)) &&
           s->varying[o->index];
}

static int result_varies(const struct sass *s, const struct ptx_inst *i)
{
    if (instruction_does(i, E_LOAD)) return i->space != PTX_PARAM;
    if (instruction_does(i, E_ATOMIC) || i->op == PTX_OP_shfl) return 1;
    for (uint32_t o = ptx_destinations(i); o < i->noperands; o++)
        if (sass_operand_varies(s, &i->operand[o])) return 1;
    return i->guard != PTX_NO_REG && s->varying[i->guard];
}

// ---------------------------------------------------------------- passes

// Lowers the number of known zero bits of a destination register to `zeros`, and marks the register as varying if
// `varies` is 1. Returns 1 if the known facts about the register changed.
static int sink(struct sass *s, const struct ptx_operand *o, uint32_t zeros, int varies)
{
    int changed = 0;
    for (uint32_t e = 0; o->kind == PTX_OPERAND_VECTOR && e < o->count; e++)
        changed |= sink(s, &s->f->element[o->index + e], 0, varies);
    if (o->kind != PTX_OPERAND_REG) return changed;
    if (zeros < s->zeros[o->index]) {
        s->zeros[o->index] = (uint8_t)zeros;
        changed = 1;
    }
    if (varies && !s->varying[o->index]) s->varying[o->index] = (uint8_t)(changed = 1);
    return changed;
}

void sass_values(struct sass *s)
{
    note_uses(s);
    for (uint32_t r = 0; r < s->f->nregs; r++) s->zeros[r] = s->defs[r] ? SASS_ZEROS : 0;
    int changed = 1;
    for (int round = 0; changed && round < ROUNDS; round++) {
        changed = 0;
        for (uint32_t k = 0; k < s->f->ninsts; k++) {
            const struct ptx_inst *i = &s->f->inst[k];
            uint32_t dests = ptx_destinations(i);
            if (!dests) continue;
            uint32_t zeros = result_zeros(s, i);
            int varies = result_varies(s, i);
            for (uint32_t o = 0; o < dests && o < i->noperands; o++)
                changed |= sink(s, &i->operand[o], o ? 0 : zeros, varies);
        }
    }
    for (uint32_t r = 0; changed && r < s->f->nregs; r++) { // no fixed point in time: nothing is known
        s->zeros[r] = 0;
        s->varying[r] = 1;
    }
}

// ---------------------------------------------------------------- addresses

// Finds out whether register `reg` is the sum of a base (another register or a symbol) and a constant, which may be 0.
// Returns 1 if `reg` is the sum of a base and a constant, and sets *from to the base and *offset to the constant.
// Returns 0 if several instructions write `reg` or the base register. Also returns 0 if the instruction that writes
// `reg` has a predicate, or computes anything but a sum or a copy.
static int step(const struct sass *s, uint32_t reg, const struct ptx_operand **from, int64_t *offset)
{
    if (s->defs[reg] != 1) return 0;
    const struct ptx_inst *i = &s->f->inst[s->def[reg]];
    const struct ptx_operand *a = &i->operand[1], *b = &i->operand[2];
    *offset = 0;
    if (i->guard != PTX_NO_REG || i->operand[0].kind != PTX_OPERAND_REG) return 0;
    uint32_t value = instruction_value(i);
    if (value == VALUE_SUM && a->kind == PTX_OPERAND_IMM) {
        const struct ptx_operand *swap = a;
        a = b;
        b = swap;
    }
    if ((value == VALUE_SUM || value == VALUE_DIFFERENCE) && b->kind == PTX_OPERAND_IMM)
        *offset = value == VALUE_SUM ? (int64_t)b->bits : -(int64_t)b->bits;
    else if (value != VALUE_COPY || i->noperands != 2)
        return 0;
    if (ptx_type_bytes((enum ptx_type)i->type[0]) == 4) *offset = (int32_t)*offset;
    *from = a;
    return a->kind == PTX_OPERAND_SYMBOL || (a->kind == PTX_OPERAND_REG && s->defs[a->index] == 1);
}

struct sass_place sass_place(const struct sass *s, const struct ptx_operand *address)
{
    enum { STEPS = 32 };
    uint32_t kind = address->kind == PTX_OPERAND_ADDRESS ? address->base_kind : address->kind;
    struct sass_place p = {address->index, (int64_t)address->bits};
    if (kind == PTX_OPERAND_SYMBOL) p.root |= SASS_SYMBOL;
    const struct ptx_operand *from;
    int64_t offset;
    for (int n = 0; kind == PTX_OPERAND_REG && n < STEPS && step(s, p.root, &from, &offset); n++) {
        kind = from->kind;
        p.root = kind == PTX_OPERAND_SYMBOL ? SASS_SYMBOL | from->index : from->index;
        p.offset += offset + (kind == PTX_OPERAND_SYMBOL ? (int64_t)from->bits : 0);
    }
    return p;
}
