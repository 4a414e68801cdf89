// Checks those operands of PTX instructions that the operand letters of isa.def cannot describe. In each row of
// isa.def, the column `form` names the function of this file that checks the instruction's operands.
#include <string.h>

#include "base/message.h"
#include "ptx/opcode.h"
#include "ptx/parser.h"

static _Noreturn void refuse(struct parser *p, const struct ptx_inst *inst, const char *what)
{
    parser_fail(p, inst->line, inst->column, "'%s': %s", isa_row[inst->op].mnemonic, _(what));
}

static int is_address_type(enum ptx_type type)
{
    return (T_BIT(type) & (T_INT3264 | T_B3264)) != 0;
}

// Checks the vector operand of a mov that packs a vector into a register or unpacks a register into a vector. The sizes
// of the vector's elements must add up to the size of the mov's type.
static void pack(struct parser *p, struct ptx_inst *inst, unsigned vector)
{
    enum ptx_type type = (enum ptx_type)inst->type[0], part = PTX_NONE;
    uint32_t count = inst->operand[vector].count;
    uint32_t bytes = count ? ptx_type_bytes(type) / count : 0;
    if (count == 2 || count == 4)
        part = bytes == 8 ? PTX_B64 : bytes == 4 ? PTX_B32 : bytes == 2 ? PTX_B16 : bytes == 1 ? PTX_B8 : PTX_NONE;
    if (part == PTX_NONE || !(T_BIT(type) & (T_BITS | T_B128)))
        check_fail(p, inst, vector, "cannot be packed into this type");
    check_vector(p, inst, vector, count, part, part == PTX_B8 ? CHECK_MAY_BE_WIDER : CHECK_EXACT, vector == 0);
}

static void special_source(struct parser *p, struct ptx_inst *inst, unsigned i, enum ptx_type type)
{
    const struct isa_sreg *sreg = &isa_sreg[inst->operand[i].index];
    uint32_t have = ptx_type_bytes((enum ptx_type)sreg->type), want = ptx_type_bytes(type);
    int is_integer = (T_BIT(type) & (T_BITS | T_INT)) != 0;
    if (!is_integer || (have != want && !(have == 4 && want == 2)))
        check_fail(p, inst, i, "is '%s', of .%s", sreg->text, ptx_type_name((enum ptx_type)sreg->type));
}

static void form_move(struct parser *p, struct ptx_inst *inst)
{
    enum ptx_type type = (enum ptx_type)inst->type[0];
    int unpacks = inst->operand[0].kind == PTX_OPERAND_VECTOR;
    if (unpacks)
        pack(p, inst, 0);
    else
        check_destination(p, inst, 0, type, CHECK_EXACT);
    switch (inst->operand[1].kind) {
    case PTX_OPERAND_VECTOR:
        if (unpacks) check_fail(p, inst, 1, "cannot be a vector too");
        pack(p, inst, 1);
        break;
    case PTX_OPERAND_SREG:
        special_source(p, inst, 1, type);
        break;
    case PTX_OPERAND_SYMBOL:
    case PTX_OPERAND_FUNC:
        if (unpacks || !is_address_type(type)) check_fail(p, inst, 1, "is an address: it needs 32 or 64 bits");
        break;
    default:
        check_source(p, inst, 1, type, CHECK_EXACT);
        break;
    }
}

static int is_float(enum ptx_type type)
{
    return (T_BIT(type) & (T_HALF | T_FLOAT)) != 0;
}

static int integer_rounding(const struct ptx_inst *inst)
{
    return inst->round >= PTX_RNI;
}

// Returns the kind of rounding that a cvt instruction needs (PTX ISA 9.7.9.21): 'i' for rounding to an integer, 'f' for
// rounding to a float, 'o' for optional rounding to an integer, or 0 for none.
static int rounding_needed(enum ptx_type to, enum ptx_type from)
{
    if (!is_float(from)) return is_float(to) ? 'f' : 0;
    if (!is_float(to)) return 'i';
    if (to == from) return 'o';
    return ptx_type_bytes(to) <= ptx_type_bytes(from) ? 'f' : 0;
}

static void convert_suffixes(struct parser *p, const struct ptx_inst *inst, enum ptx_type to, enum ptx_type from)
{
    int needed = rounding_needed(to, from);
    int fits = needed == 'i'   ? integer_rounding(inst)
               : needed == 'f' ? inst->round && !integer_rounding(inst)
               : needed == 'o' ? !inst->round || integer_rounding(inst)
                               : !inst->round;
    if (!fits)
        refuse(p, inst,
               needed == 'f'   ? N_("this conversion needs '.rn', '.rz', '.rm' or '.rp'")
               : needed == 'i' ? N_("this conversion needs '.rni', '.rzi', '.rmi' or '.rpi'")
                               : N_("this conversion does not take that rounding"));
    if ((inst->flags & PTX_FTZ) && to != PTX_F32 && from != PTX_F32) refuse(p, inst, "'.ftz' goes with .f32 only");
    if ((inst->flags & PTX_RELU) && (to == from || !(T_BIT(to) & T_HALF)))
        refuse(p, inst, "'.relu' goes with conversions to halves only");
    if ((inst->flags & PTX_SAT) && (inst->flags & PTX_RELU)) refuse(p, inst, "'.sat' and '.relu' exclude each other");
}

static void form_convert(struct parser *p, struct ptx_inst *inst)
{
    enum { SINGLE = T_BYTES | T_INT | T_FLOAT | T_BIT(PTX_F16) | T_BIT(PTX_BF16) };
    enum ptx_type to = (enum ptx_type)inst->type[0], from = (enum ptx_type)inst->type[1];
    if (to == PTX_F16X2 || to == PTX_BF16X2) { // the conversion packs two floats into one register
        if (from != PTX_F32 || inst->noperands != 3 || (inst->round != PTX_RN && inst->round != PTX_RZ))
            refuse(p, inst, "pairs of halves come from two .f32 with '.rn' or '.rz'");
        check_destination(p, inst, 0, to, CHECK_EXACT);
        check_source(p, inst, 1, from, CHECK_EXACT);
        check_source(p, inst, 2, from, CHECK_EXACT);
        return;
    }
    if (!(T_BIT(to) & SINGLE) || !(T_BIT(from) & SINGLE)) refuse(p, inst, "there is no conversion between these types");
    if (inst->noperands != 2) refuse(p, inst, "takes two operands");
    convert_suffixes(p, inst, to, from);
    check_destination(p, inst, 0, to, CHECK_MAY_BE_WIDER);
    if (inst->operand[1].kind == PTX_OPERAND_SREG)
        special_source(p, inst, 1, from);
    else
        check_source(p, inst, 1, from, CHECK_MAY_BE_WIDER);
}

static void form_address(struct parser *p, struct ptx_inst *inst)
{
    check_destination(p, inst, 0, PTX_U64, CHECK_EXACT);
    const struct ptx_operand *o = &inst->operand[1];
    if (o->kind != PTX_OPERAND_SYMBOL) {
        check_source(p, inst, 1, PTX_U64, CHECK_EXACT);
        return;
    }
    const struct ptx_var *v = AT(p->var, struct ptx_var, o->index);
    if ((inst->flags & PTX_TO) || v->space != inst->space)
        check_fail(p, inst, 1, "names '%.60s', which is in another space", v->name);
}

static void form_is_space(struct parser *p, struct ptx_inst *inst)
{
    if (inst->operand[0].negate || inst->operand[1].negate) refuse(p, inst, "'!' has no meaning here");
    check_predicate(p, inst, 0);
    if (inst->operand[1].kind != PTX_OPERAND_REG) check_fail(p, inst, 1, "must be a register");
    check_source(p, inst, 1, PTX_U64, CHECK_EXACT);
}

static void form_vote(struct parser *p, struct ptx_inst *inst)
{
    check_destination(p, inst, 0, (enum ptx_type)inst->type[0], CHECK_EXACT);
    if (inst->operand[1].kind == PTX_OPERAND_IMM)
        check_source(p, inst, 1, PTX_PRED, CHECK_EXACT);
    else
        check_predicate(p, inst, 1);
    check_source(p, inst, 2, PTX_U32, CHECK_EXACT);
}

static void barrier_red(struct parser *p, struct ptx_inst *inst)
{
    enum ptx_type type = (enum ptx_type)inst->type[0];
    if (!inst->boolop) refuse(p, inst, "needs '.popc', '.and' or '.or'");
    if (type != (inst->boolop == PTX_BOOL_POPC ? PTX_U32 : PTX_PRED))
        refuse(p, inst, "'.popc' gives .u32, the others .pred");
    if (inst->noperands != 4) refuse(p, inst, "needs a result, a barrier and a predicate");
    check_destination(p, inst, 0, type, CHECK_EXACT);
    check_source(p, inst, 1, PTX_U32, CHECK_EXACT);
    if (inst->operand[2].kind) check_source(p, inst, 2, PTX_U32, CHECK_EXACT);
    check_predicate(p, inst, 3);
}

static void form_barrier(struct parser *p, struct ptx_inst *inst)
{
    if (inst->mode == PTX_BAR_RED) {
        barrier_red(p, inst);
        return;
    }
    if (!inst->mode) refuse(p, inst, "needs '.sync', '.arrive' or '.red'");
    if (inst->type[0] || inst->boolop) refuse(p, inst, "only '.red' has an operation and a type");
    unsigned least = inst->mode == PTX_BAR_ARRIVE ? 2 : 1;
    if (inst->noperands < least || inst->noperands > 2) refuse(p, inst, "has another number of operands");
    for (unsigned i = 0; i < inst->noperands; ++i) check_source(p, inst, i, PTX_U32, CHECK_EXACT);
}

struct slot {
    uint64_t bytes;
    enum ptx_type type;
};

// Returns the size and the type of the called function's i-th result, or of its i-th parameter if `result` is 0.
static struct slot slot_of(struct parser *p, const struct ptx_inst *inst, int result, uint32_t i)
{
    if (inst->operand[1].kind == PTX_OPERAND_FUNC) {
        const struct ptx_func *f = AT(p->func, struct ptx_func, inst->operand[1].index);
        const struct ptx_var *v = AT(p->var, struct ptx_var, result ? f->result[i] : f->param[i]);
        return (struct slot){v->bytes, (enum ptx_type)v->type};
    }
    const struct ptx_table *t = AT(p->table, struct ptx_table, inst->operand[3].index);
    const struct ptx_shape *s = &t->shape[result ? i : t->nresults + i];
    return (struct slot){s->bytes, (enum ptx_type)s->type};
}

static void call_list(struct parser *p, struct ptx_inst *inst, unsigned list, uint32_t count)
{
    const struct ptx_operand *o = &inst->operand[list];
    if (o->count != count)
        check_fail(p, inst, list, "has %u values where the function has %u", (unsigned)o->count, (unsigned)count);
    for (uint32_t i = 0; i < count; ++i) {
        struct ptx_operand *e = AT(p->element, struct ptx_operand, o->index + i);
        struct slot slot = slot_of(p, inst, list == 0, i);
        int fits = 0;
        if (e->kind == PTX_OPERAND_SYMBOL) {
            const struct ptx_var *v = AT(p->var, struct ptx_var, e->index);
            fits = v->space == PTX_PARAM && v->bytes == slot.bytes && !e->bits;
        } else if (e->kind == PTX_OPERAND_REG) {
            const struct ptx_reg *r = AT(p->reg, struct ptx_reg, e->index);
            fits =
                slot.bytes == ptx_type_bytes(slot.type) && check_agrees(slot.type, (enum ptx_type)r->type, CHECK_EXACT);
        } else if (e->kind == PTX_OPERAND_IMM && list == 2 && slot.bytes == ptx_type_bytes(slot.type)) {
            check_convert(p, list, e, slot.type);
            fits = 1;
        }
        if (!fits) check_fail(p, inst, list, "does not fit the function's declaration at place %u", (unsigned)i + 1);
    }
}

static void form_call(struct parser *p, struct ptx_inst *inst)
{
    const struct ptx_operand *target = &inst->operand[1];
    if (target->kind == PTX_OPERAND_FUNC) {
        const struct ptx_func *f = AT(p->func, struct ptx_func, target->index);
        if (f->is_entry) check_fail(p, inst, 1, "is a kernel, which is not called");
        call_list(p, inst, 0, f->nresults);
        call_list(p, inst, 2, f->nparams);
        return;
    }
    check_source(p, inst, 1, PTX_U64, CHECK_EXACT);
    if (inst->noperands != 4) refuse(p, inst, "a call through a register needs its prototype or targets");
    const struct ptx_table *t = AT(p->table, struct ptx_table, inst->operand[3].index);
    if (t->kind != PTX_PROTOTYPE) check_fail(p, inst, 3, "must be a '.callprototype'");
    call_list(p, inst, 0, t->nresults);
    call_list(p, inst, 2, t->nparams);
}

static void form_async_copy(struct parser *p, struct ptx_inst *inst)
{
    uint64_t bytes = inst->operand[2].bits;
    int fits = bytes == 16 || (inst->cache == PTX_CA && (bytes == 4 || bytes == 8));
    if (inst->operand[2].kind == PTX_OPERAND_IMM && !fits) check_fail(p, inst, 2, "must be 4, 8 or 16; with '.cg' 16");
}

// Checks the operands of createpolicy.fractional, which creates a cache policy. The optional second operand of
// createpolicy.fractional is the fraction of the accesses to which the policy applies, from 0 to 1. If
// createpolicy.fractional has no second operand, the fraction is 1.
static void form_policy(struct parser *p, struct ptx_inst *inst)
{
    check_destination(p, inst, 0, PTX_B64, CHECK_EXACT);
    if (inst->noperands > 1) check_source(p, inst, 1, PTX_F32, CHECK_EXACT);
}

// Checks the operands of alloca, which allocates stack memory. The size operand of alloca must have the width of
// alloca's type. The optional third operand of alloca is the alignment, a constant power of two with the default 8.
static void form_allocate(struct parser *p, struct ptx_inst *inst)
{
    enum ptx_type type = (enum ptx_type)inst->type[0];
    check_destination(p, inst, 0, type, CHECK_EXACT);
    check_source(p, inst, 1, type, CHECK_EXACT);
    if (inst->noperands < 3) return;
    uint64_t align = inst->operand[2].bits;
    if (inst->operand[2].kind != PTX_OPERAND_IMM || !align || align & (align - 1) || align > 1 << 23)
        check_fail(p, inst, 2, "must be a power of two");
    check_source(p, inst, 2, PTX_U32, CHECK_EXACT);
}

static void form_table(struct parser *p, struct ptx_inst *inst)
{
    int combined = inst->boolop != 0, has_predicates = inst->operand[1].kind != 0 && inst->noperands == 7;
    if (combined != has_predicates || (!combined && inst->noperands == 7))
        refuse(p, inst, "a boolean operator, a second destination and a predicate belong together");
    if (inst->boolop == PTX_BOOL_XOR) refuse(p, inst, "combines with '.and' and '.or' only");
    if (inst->operand[5].kind == PTX_OPERAND_IMM && inst->operand[5].bits > 255)
        check_fail(p, inst, 5, "must be a table of 8 bits");
}

// Checks the operands of a video instruction. The type suffixes of a video instruction are the types of the result, of
// a and of b; vset has only the types of a and b. The parser refuses selectors of a part of a word (%r1.b0), because
// compilers do not emit such selectors.
static void form_video(struct parser *p, struct ptx_inst *inst)
{
    const struct isa_row *row = &isa_row[inst->op];
    int compares = (row->fields & F_CMP) != 0, packed = !strchr(row->operands, 'X');
    for (int i = 0; i < (compares ? 2 : 3); i++)
        if (!(T_BIT(inst->type[i]) & T_INT32)) refuse(p, inst, "takes .u32 and .s32 only");
    if (compares && (!inst->cmp || inst->cmp > PTX_GE)) refuse(p, inst, "has no such comparison");
    int shifts = (row->fields & F_WRAP) != 0;
    if (shifts && (inst->type[2] != PTX_U32 || !(inst->flags & PTX_CLAMP) == !(inst->flags & PTX_WRAP)))
        refuse(p, inst, "needs '.clamp' or '.wrap', and shifts by a .u32");
    int second = !inst->atom || inst->atom == PTX_ATOM_ADD ||
                 (!packed && (inst->atom == PTX_ATOM_MIN || inst->atom == PTX_ATOM_MAX));
    if (!second || (packed && inst->atom && (inst->flags & PTX_SAT))) refuse(p, inst, "has no such second operation");
    if (!packed && (inst->atom != 0) != (inst->noperands == 4))
        refuse(p, inst, "a second operation and its operand belong together");
    check_destination(p, inst, 0, compares ? PTX_U32 : (enum ptx_type)inst->type[0], CHECK_EXACT);
    check_source(p, inst, 1, (enum ptx_type)inst->type[!compares], CHECK_EXACT);
    check_source(p, inst, 2, (enum ptx_type)inst->type[1 + !compares], CHECK_EXACT);
    if (inst->noperands == 4) check_source(p, inst, 3, PTX_B32, CHECK_EXACT);
}

static void form_letters(struct parser *p, struct ptx_inst *inst)
{
    (void)p, (void)inst;
}

typedef void form_rule(struct parser *, struct ptx_inst *);
static form_rule *const rule[PTX_OPS] = {
#define ISA(id, mnemonic, fields, types, operands, suffixes, form, ...) form_##form,
#include "ptx/isa.def"
#undef ISA
};

void check_form(struct parser *p, struct ptx_inst *inst)
{
    rule[inst->op](p, inst);
}
