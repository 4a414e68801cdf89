// Decides where the machine code keeps the value of each PTX register (the "home" of the value), and in how many
// machine registers.
//
// The rules in this file come from the machine code that ptxas 13.0.88 (-O3, sm_90) generates for the labs' kernels.
//
//   - Constants, parameters, sizes of the grid, and integers computed from these alone take no register: instructions
//     read them from constant memory or from uniform registers.
//   - A value that slots.c folds into its readers takes no register. Its sources live until these readers.
//   - A multiply-add that computes an address cannot read the added pointer from constant memory, so the pointer takes
//     a pair of registers. A pointer parameter that an instruction uses directly as an address takes a pair of
//     registers. Outside of loops, a pointer parameter in registers is loaded again in each basic block.
//   - Predicates have registers of their own, which are never scarce in practice.
//   - Values of 64 bits take a pair of registers. While registers are not scarce, a value that is stored takes the room
//     of a pair as well.
//   - If registers are scarce, a loop's counter that is the same in all lanes moves to a uniform register.
#include "sim/sass/code_region.h"

enum { CHAIN = 8 };

static int is_whole(uint32_t type)
{
    return type >= PTX_B8 && type <= PTX_S64;
}

// Returns 1 if the uniform datapath, which computes values that all lanes share, can execute the instruction.
static int is_uniform_math(const struct ptx_inst *i)
{
    if (instruction_does(i, E_LOAD | E_STORE | E_ATOMIC | E_EXCHANGE | E_CONVERGE | E_CALL)) return 0;
    if (instruction_value(i) == VALUE_COPY) return 1;
    return is_whole(i->type[0]) && instruction[i->op].slots != SLOTS_DIVISION &&
           !(instruction[i->op].slots == SLOTS_CONVERT && !is_whole(i->type[1]));
}

static int has_constant_sources(const struct sass_homes *v, const struct ptx_inst *i)
{
    for (uint32_t o = 1; o < i->noperands; o++) {
        const struct ptx_operand *a = &i->operand[o];
        if (a->kind == PTX_OPERAND_IMM) continue;
        if (a->kind != PTX_OPERAND_REG || !v->s->defs[a->index] || v->home[a->index] != HOME_CONSTANT) return 0;
    }
    return 1;
}

// Returns where the machine code keeps the result of instruction `i` (the home of the value). No other instruction may
// write the result register of `i`.
static enum sass_home home_of(const struct sass_homes *v, const struct ptx_inst *i, uint32_t slots)
{
    const struct sass *s = v->s;
    const struct ptx_operand *from = &i->operand[1];
    if (i->guard != PTX_NO_REG) return HOME_REGISTER;
    if (instruction_loads_parameter(s->f, i)) return HOME_CONSTANT;
    int copies = instruction_value(i) == VALUE_COPY;
    if (copies && from->kind == PTX_OPERAND_SREG)
        return from->index == PTX_SREG_ntid || from->index == PTX_SREG_nctaid ? HOME_CONSTANT : HOME_REGISTER;
    if (copies && from->kind != PTX_OPERAND_REG && from->kind != PTX_OPERAND_VECTOR) return HOME_CONSTANT;
    if (is_uniform_math(i) && !s->varying[i->operand[0].index] && has_constant_sources(v, i)) return HOME_CONSTANT;
    return slots || i->type[0] == PTX_PRED ? HOME_REGISTER : HOME_FOLDED;
}

// Returns 1 if the register holds a pointer that was passed to the kernel.
static int is_pointer(const struct sass_homes *v, uint32_t reg)
{
    const struct sass *s = v->s;
    for (int n = 0; n < CHAIN && s->defs[reg] == 1; n++) {
        const struct ptx_inst *i = &s->f->inst[s->def[reg]];
        if (instruction_loads_parameter(s->f, i)) return v->packed[reg] == 2;
        if (instruction_value(i) != VALUE_COPY || i->operand[1].kind != PTX_OPERAND_REG) return 0;
        reg = i->operand[1].index;
    }
    return 0;
}

static void make_fresh(struct sass_homes *v, uint32_t reg)
{
    v->home[reg] = HOME_REGISTER;
    v->fresh[reg / 64] |= 1ull << reg % 64;
}

// Gives machine registers to those pointers among an instruction's operands that the instruction cannot read from
// constant memory.
static void load_pointers(struct sass_homes *v, uint32_t inst)
{
    const struct ptx_inst *i = &v->s->f->inst[inst];
    uint32_t value = instruction_value(i);
    int wide =
        (value == VALUE_SUM && v->s->inst[inst].product) || (value == VALUE_PRODUCT_SUM && i->part == PTX_PART_WIDE);
    for (uint32_t o = 0; o < i->noperands; o++) {
        const struct ptx_operand *a = &i->operand[o];
        int base = a->kind == PTX_OPERAND_ADDRESS && a->base_kind == PTX_OPERAND_REG;
        if (!base && (a->kind != PTX_OPERAND_REG || !wide || !o)) continue;
        if (v->home[a->index] != HOME_CONSTANT) continue;
        if (base ? v->packed[a->index] == 2 : is_pointer(v, a->index)) make_fresh(v, a->index);
    }
}

// Lets each kernel parameter of at most 32 bits take a machine register if machine registers are plentiful, and no
// machine register if they are scarce.
static void load_parameters(struct sass_homes *v)
{
    const struct sass *s = v->s;
    for (uint32_t r = 0; r < s->f->nregs; r++) {
        if (s->defs[r] != 1 || v->home[r] != HOME_CONSTANT || v->packed[r] != 1) continue;
        if (!instruction_loads_parameter(s->f, &s->f->inst[s->def[r]])) continue;
        make_fresh(v, r);
        v->packed[r] = 0;
    }
}

// Lets integers that are the same in all lanes take no machine register if machine registers are scarce, because ptxas
// then moves them to uniform registers.
static void free_uniform(struct sass_homes *v)
{
    const struct sass *s = v->s;
    uint8_t *other = ARENA_ARRAY(s->l->arena, s->f->nregs + 1, uint8_t);
    for (uint32_t k = 0; k < s->f->ninsts; k++) {
        const struct ptx_inst *i = &s->f->inst[k];
        const struct ptx_operand *d = &i->operand[0];
        for (uint32_t e = 0; d->kind == PTX_OPERAND_VECTOR && e < d->count; e++)
            if (s->f->element[d->index + e].kind == PTX_OPERAND_REG) other[s->f->element[d->index + e].index] = 1;
        if (ptx_destinations(i) && d->kind == PTX_OPERAND_REG && !is_uniform_math(i)) other[d->index] = 1;
    }
    for (uint32_t r = 0; r < s->f->nregs; r++)
        if (!s->varying[r] && !other[r] && v->home[r] == HOME_REGISTER) v->packed[r] = 0;
}

int sass_home_vanishes(const struct sass_homes *v, const struct ptx_inst *i)
{
    return ptx_destinations(i) == 1 && i->operand[0].kind == PTX_OPERAND_REG &&
           v->home[i->operand[0].index] != HOME_REGISTER;
}

void sass_home_values(struct sass_homes *v)
{
    const struct sass *s = v->s;
    const struct ptx_func *f = s->f;
    for (uint32_t r = 0; r < f->nregs; r++) {
        v->packed[r] = v->spread[r] = (uint8_t)((ptx_type_bytes((enum ptx_type)f->reg[r].type) + 3) / 4);
        v->home[r] = s->defs[r] ? HOME_REGISTER : HOME_CONSTANT;
    }
    for (uint32_t k = 0; k < f->ninsts; k++) {
        const struct ptx_inst *i = &f->inst[k];
        const struct ptx_operand *d = &i->operand[0];
        if (ptx_destinations(i) == 1 && d->kind == PTX_OPERAND_REG && s->defs[d->index] == 1)
            v->home[d->index] = (uint8_t)home_of(v, i, s->inst[k].slots);
    }
    for (uint32_t k = 0; k < f->ninsts; k++) load_pointers(v, k);
    for (uint32_t k = 0; k < f->ninsts; k++) {
        const struct ptx_inst *i = &f->inst[k];
        const struct ptx_operand *data = &i->operand[1];
        if (instruction_does(i, E_STORE) && i->noperands > 1 && data->kind == PTX_OPERAND_REG &&
            v->spread[data->index] == 1)
            v->spread[data->index] = 2;
    }
    load_parameters(v);
    free_uniform(v);
}
