// Maps operands of PTX instructions to places in the simulated register file. Each register has a place of its own (a
// register row), with a value for each of the 32 lanes. Immediates, addresses, parameters and special registers also
// have places in the register file, and equal immediates, addresses, parameters or special registers of a kernel share
// one place. An instruction may read a register through a narrower type or write a wider register. If an instruction
// accesses a register with another width than the register's own, hidden ops (not counted as instructions) move the
// value to or from a temporary register.
#include <string.h>

#include "base/hash.h"
#include "ptx/opcode.h"
#include "sim/core/instruction.h"
#include "sim/machine/memory.h"
#include "sim/op/lower.h"

uint32_t lower_width(uint32_t type)
{
    if (type == PTX_PRED) return 1;
    uint32_t bytes = ptx_type_bytes((enum ptx_type)type);
    return bytes == 0 || bytes > 8 ? 0 : bytes == 8 ? 8 : 4;
}

struct ref lower_temp(struct lower *l, uint32_t width)
{
    struct ref *pool = width == 1 ? l->temp1 : width == 4 ? l->temp4 : l->temp8;
    uint32_t *used = width == 1 ? &l->ntemp1 : width == 4 ? &l->ntemp4 : &l->ntemp8;
    if (*used == LOWER_TEMPS) {
        lower_refuse(l, "instruction with too many operands of another width");
        return (struct ref){0, 0};
    }
    struct ref *t = &pool[(*used)++];
    if (!t->reg) *t = lower_new_reg(l, width);
    return *t;
}

// Returns the place in the register file that holds the immediate, parameter or special register that `want` describes.
// Allocates a place in the register file when the kernel's code first uses the immediate, parameter or special
// register.
static struct ref constant_row(struct lower *l, struct plan_row want)
{
    uint64_t h =
        hash_bytes(&(uint64_t[]){want.kind, want.wide, want.bytes, want.sign, want.sreg, want.component, want.bits},
                   7 * sizeof(uint64_t), 1);
    for (uint32_t probe = 0; probe < l->constants; probe++) {
        uint32_t *slot = &l->constant[(h + probe) & (l->constants - 1)];
        if (!*slot) {
            if (l->row.count * 2 > l->constants) break;
            want.offset = lower_row(l, want.wide == 1 ? 8 * WARP_LANES : want.wide == 2 ? 4 : 4 * WARP_LANES);
            *LOWER_PUSH(l, &l->row) = want;
            *slot = l->row.count;
            return (struct ref){want.offset, 0};
        }
        const struct plan_row *r = &l->row.at[*slot - 1];
        if (r->kind == want.kind && r->wide == want.wide && r->bytes == want.bytes && r->sign == want.sign &&
            r->sreg == want.sreg && r->component == want.component && r->bits == want.bits)
            return (struct ref){r->offset, 0};
    }
    lower_refuse(l, "too many different constants");
    return (struct ref){0, 0};
}

struct ref lower_constant(struct lower *l, uint64_t bits, uint32_t width)
{
    if (width == 1) return constant_row(l, (struct plan_row){.kind = PLAN_IMMEDIATE, .wide = 2, .bits = bits & 1});
    return constant_row(
        l, (struct plan_row){.kind = PLAN_IMMEDIATE, .wide = width == 8, .bits = width == 8 ? bits : (uint32_t)bits});
}

struct ref lower_param_row(struct lower *l, uint32_t offset, uint32_t bytes, int sign, uint32_t width)
{
    return constant_row(
        l, (struct plan_row){
               .kind = PLAN_PARAM, .wide = width == 8, .bytes = (uint8_t)bytes, .sign = (uint8_t)sign, .bits = offset});
}

// Emits a hidden op (not counted as an instruction) that computes register `to` from register `from`. Returns `to`.
static struct ref one_op(struct lower *l, uint32_t op, uint32_t type, uint32_t variant, struct ref from, struct ref to)
{
    int hidden = l->hidden;
    l->hidden = 1;
    lower_emit(l, lower_find(l, op, type, variant), &from, 1, &to, 1);
    l->hidden = hidden;
    return to;
}

struct ref lower_sreg(struct lower *l, uint32_t sreg, uint32_t component, uint32_t width)
{
    if (sreg >= PTX_SREG_clock && sreg <= PTX_SREG_globaltimer_hi) { // changes while the warp runs
        struct ref t = lower_temp(l, width);
        int hidden = l->hidden;
        l->hidden = 1;
        struct sim_op *op = lower_emit(l, control_clock, NULL, 0, &t, 1);
        op->mode = (uint8_t)sreg;
        op->side = width == 8;
        l->hidden = hidden;
        return t;
    }
    return constant_row(l,
                        (struct plan_row){.kind = PLAN_SREG, .wide = width == 8, .sreg = sreg, .component = component});
}

uint64_t lower_symbol_address(struct lower *l, uint32_t var)
{
    const struct ptx_var *v = &l->module->var[var];
    switch (v->space) {
    case PTX_SHARED:
        return l->shared->offset[var];
    case PTX_LOCAL:
        return l->local_offset[var];
    case PTX_PARAM:
        if (l->spilled[var]) return l->local_offset[var];
        if (!l->f->is_entry || l->param_offset[var] == PLAN_ABSENT)
            lower_refuse(l, "the address of parameter '%s' of a function is not supported", v->name);
        return l->param_offset[var];
    default:
        return sim_memory_var_address(l->memory, l->module, var);
    }
}

static struct ref symbol_source(struct lower *l, const struct ptx_operand *o, uint32_t width)
{
    const struct ptx_var *v = &l->module->var[o->index];
    uint64_t address = lower_symbol_address(l, o->index) + o->bits;
    if (v->space != PTX_LOCAL && !l->spilled[o->index]) return lower_constant(l, address, width);
    struct ref t = lower_temp(l, width);
    int hidden = l->hidden;
    l->hidden = 1;
    struct sim_op *op = lower_emit(l, control_local_address, NULL, 0, &t, 1);
    op->f = (uint32_t)address;
    op->side = width == 8;
    l->hidden = hidden;
    return t;
}

static struct ref register_source(struct lower *l, const struct ptx_operand *o, uint32_t width)
{
    uint32_t have = lower_width(l->f->reg[o->index].type);
    struct ref r = l->reg[o->index];
    if (width == 1) {
        if (have != 1) lower_refuse(l, "'%s' is no predicate", l->f->reg[o->index].name);
        if (o->negate) return one_op(l, PTX_OP_not, PTX_PRED, VARIANT_PLAIN, r, lower_temp(l, 1));
        return r;
    }
    if (have == 1 || !have) lower_refuse(l, "register '%s' cannot stand here", l->f->reg[o->index].name);
    if (have == width) return r;
    return one_op(l, PTX_OP_cvt, width == 4 ? PTX_B32 : PTX_B64, VARIANT_PLAIN, r, lower_temp(l, width));
}

void lower_halves(struct lower *l, const struct ptx_operand *o, struct ref half[2])
{
    if (o->kind != PTX_OPERAND_REG || l->f->reg[o->index].type != PTX_B128) {
        lower_refuse(l, "this operand must be a register of 128 bits");
        half[0] = half[1] = (struct ref){0, 0};
        return;
    }
    half[0] = l->reg[o->index];
    half[1] = (struct ref){half[0].row + 8 * WARP_LANES, half[0].reg + 1};
}

struct ref lower_source(struct lower *l, const struct ptx_operand *o, uint32_t width)
{
    switch (o->kind) {
    case PTX_OPERAND_REG:
        return register_source(l, o, width);
    case PTX_OPERAND_IMM:
        return lower_constant(l, width == 1 ? (o->bits != 0) ^ o->negate : o->bits, width);
    case PTX_OPERAND_SREG:
        return lower_sreg(l, o->index, o->component, width);
    case PTX_OPERAND_SYMBOL:
        return symbol_source(l, o, width);
    case PTX_OPERAND_FUNC:
        return lower_constant(l, (uint64_t)o->index + 1, width);
    default:
        lower_refuse(l, "operand not supported here");
        return (struct ref){0, 0};
    }
}

struct ref lower_dest(struct lower *l, const struct ptx_operand *o, uint32_t width, int sign)
{
    if (o->kind == PTX_OPERAND_SINK || o->kind == PTX_OPERAND_NONE) return (struct ref){0, 0};
    if (o->kind != PTX_OPERAND_REG) {
        lower_refuse(l, "destination is no register");
        return (struct ref){0, 0};
    }
    uint32_t have = lower_width(l->f->reg[o->index].type);
    if (have == width) return l->reg[o->index];
    if (have < 4 || width < 4 || l->npending == LOWER_PENDING) {
        lower_refuse(l, "register '%s' cannot stand here", l->f->reg[o->index].name);
        return (struct ref){0, 0};
    }
    struct ref t = lower_temp(l, width);
    l->pending[l->npending].temp = t;
    l->pending[l->npending].reg = l->reg[o->index];
    l->pending[l->npending].to = (uint8_t)have;
    l->pending[l->npending++].sign = (uint8_t)sign;
    return t;
}

void lower_flush_dests(struct lower *l)
{
    for (uint32_t i = 0; i < l->npending; i++)
        one_op(l, PTX_OP_cvt,
               l->pending[i].to == 4 ? PTX_B32
               : l->pending[i].sign  ? PTX_S64
                                     : PTX_B64,
               VARIANT_PLAIN, l->pending[i].temp, l->pending[i].reg);
    l->npending = 0;
}

static sim_handler *find_exact(const struct lower *l, uint32_t key)
{
    for (uint32_t h = (uint32_t)hash_bytes(&key, sizeof key, 0);; h++) {
        const struct sim_handler_row *row = &l->handler[h & (l->capacity - 1)];
        if (!row->run || row->key == key) return row->run;
    }
}

sim_handler *lower_find(struct lower *l, uint32_t op, uint32_t type, uint32_t variant)
{
    static const uint8_t plain[PTX_TYPES][3] = {
        [PTX_B16] = {PTX_U16, PTX_U16}, [PTX_S16] = {PTX_U16, PTX_B16}, [PTX_U16] = {PTX_B16, PTX_B16},
        [PTX_B32] = {PTX_U32, PTX_U32}, [PTX_S32] = {PTX_U32, PTX_B32}, [PTX_U32] = {PTX_B32, PTX_B32},
        [PTX_B64] = {PTX_U64, PTX_U64}, [PTX_S64] = {PTX_U64, PTX_B64}, [PTX_U64] = {PTX_B64, PTX_B64},
        [PTX_F16] = {PTX_F16, PTX_F16}, [PTX_F32] = {PTX_F32, PTX_F32}, [PTX_B8] = {PTX_U8, PTX_U16},
        [PTX_U8] = {PTX_B8, PTX_U16},   [PTX_S8] = {PTX_B8, PTX_S16}};
    sim_handler *h = find_exact(l, SIM_KEY(op, type, variant));
    for (int i = 0; !h && i < 2 && plain[type][i]; i++) h = find_exact(l, SIM_KEY(op, plain[type][i], variant));
    l->found.run = h;
    l->found.op = op;
    l->found.type = type;
    l->found.variant = variant;
    return h;
}

static int is_integer(uint32_t type)
{
    return (type >= PTX_B8 && type <= PTX_B64) || (type >= PTX_U8 && type <= PTX_U64) ||
           (type >= PTX_S8 && type <= PTX_S64);
}

// Returns 1 if the handler that lower_find() returned last converts between integers without saturation.
static int converts_integers(const struct lower *l)
{
    if (l->found.type != PTX_NONE) return is_integer(l->found.type) && is_integer(l->found.variant % VARIANT_CVT);
    const struct ptx_inst *i = l->inst;
    return i->op == PTX_OP_cvt && !(i->flags & PTX_SAT) && is_integer(i->type[0]) && is_integer(i->type[1]);
}

// Returns how the results of a handler depend on undefined bits: a value of enum op_propagation, combined with a mask
// of the source operands that carry data.
static uint8_t propagation_of(const struct lower *l, sim_handler *run)
{
    enum { A = 1 << 4, B = 1 << 5, DATA = PROPAGATE_DATA };
    static const uint8_t rule[] = {
        [UNDEFINED_ALL] = PROPAGATE_ALL,          [UNDEFINED_COPY] = PROPAGATE_COPY | DATA,
        [UNDEFINED_COPY_A] = PROPAGATE_COPY | A,  [UNDEFINED_CONVERT] = PROPAGATE_COPY | A,
        [UNDEFINED_MOVE_A] = PROPAGATE_MOVED | A, [UNDEFINED_MOVE_AB] = PROPAGATE_MOVED | A | B,
        [UNDEFINED_AND] = PROPAGATE_AND | DATA,   [UNDEFINED_OR] = PROPAGATE_OR | DATA,
        [UNDEFINED_XOR] = PROPAGATE_XOR | DATA,   [UNDEFINED_LOP3] = PROPAGATE_LOP3 | DATA,
        [UNDEFINED_ITSELF] = PROPAGATE_ITSELF,
    };
    if (run != l->found.run) return PROPAGATE_ALL;
    uint32_t undefined = instruction[l->found.op].undefined;
    return undefined == UNDEFINED_CONVERT && !converts_integers(l) ? PROPAGATE_ALL : rule[undefined];
}

struct sim_op *lower_emit(struct lower *l, sim_handler *run, const struct ref *src, uint32_t nsrc,
                          const struct ref *dst, uint32_t ndst)
{
    if (!run) lower_refuse(l, "'%s' is not supported in this form", ptx_isa[l->inst->op].mnemonic);
    struct sim_op *op = LOWER_PUSH(l, &l->op);
    *op =
        (struct sim_op){.run = run, .inner = run, .hidden = (uint8_t)l->hidden, .propagation = propagation_of(l, run)};
    uint32_t *place[] = {&op->a, &op->b, &op->c, &op->f};
    for (uint32_t i = 0; i < nsrc && i < 4; i++) *place[i] = src[i].row;
    if (ndst > 0) op->d = dst[0].row;
    if (ndst > 1) op->e = dst[1].row;
    op->regs = l->use.count;
    op->nsources = (uint16_t)nsrc;
    op->ndests = (uint16_t)ndst;
    *LOWER_PUSH(l, &l->use) = l->guard.reg;
    for (uint32_t i = 0; i < nsrc; i++) *LOWER_PUSH(l, &l->use) = src[i].reg;
    for (uint32_t i = 0; i < ndst; i++) *LOWER_PUSH(l, &l->use) = dst[i].reg;
    if (l->guard.reg) {
        op->guard = l->guard.row;
        op->guard_negated = l->inst->guard_negated;
        op->run = control_guarded;
    }
    struct sim_op_info *info = LOWER_PUSH(l, &l->info);
    *info = (struct sim_op_info){.func = l->index, .inst = (uint32_t)(l->inst - l->f->inst)};
    if (!l->hidden) instruction_cost(l->inst, info);
    return op;
}

void lower_branch_to(struct lower *l, struct sim_op *op, uint32_t inst)
{
    if (l->npatch == l->patch_capacity)
        lower_grow(l, (void **)&l->patch, &l->patch_capacity, l->npatch, sizeof *l->patch);
    l->patch[l->npatch].op = (uint32_t)(op - l->op.at);
    l->patch[l->npatch++].inst = inst;
}
