// Lowers PTX arithmetic, logic, comparisons, conversions and moves, that is, turns these PTX instructions into ops of
// the simulator. The handlers that execute the ops of arithmetic, logic, comparisons, conversions and moves are in
// integer.c, float.c, half.c, logic.c, convert.c and video.c.
//
// An instruction becomes one op if a handler for its exact form exists. A rare form of an instruction (.ftz on an
// unusual instruction, .sat, comparisons of halves) becomes several ops: one op that computes, and other ops before or
// after it. The ops that stand before and after the computing op are hidden ops, that is, they do not count as
// instructions.
#include <string.h>

#include "ptx/opcode.h"
#include "sim/core/instruction.h"
#include "sim/op/lower.h"

static int is_half(uint32_t t)
{
    return t == PTX_F16 || t == PTX_F16X2 || t == PTX_BF16 || t == PTX_BF16X2;
}

static int is_float(uint32_t t)
{
    return t == PTX_F32 || t == PTX_F64 || is_half(t);
}

static int is_signed(uint32_t t)
{
    return t == PTX_S8 || t == PTX_S16 || t == PTX_S32 || t == PTX_S64;
}

static uint32_t uint_of(uint32_t t)
{
    uint32_t bytes = ptx_type_bytes((enum ptx_type)t);
    return bytes == 8 ? PTX_U64 : bytes == 4 ? PTX_U32 : PTX_U16;
}

static struct ref hidden_op(struct lower *l, uint32_t op, uint32_t type, uint32_t variant, struct ref from,
                            struct ref to)
{
    int before = l->hidden;
    l->hidden = 1;
    lower_emit(l, lower_find(l, op, type, variant), &from, 1, &to, 1);
    l->hidden = before;
    return to;
}

// Describes an instruction that computes operand 0 from operands 1, 2, …, with the width in bytes of each operand.
struct alu {
    uint32_t op, type, variant, nsrc;
    uint8_t width[4], dest;
    uint8_t mode;
    uint8_t flush; // .ftz that the handler does not do itself
};

static void lower_alu(struct lower *l, const struct ptx_inst *i, const struct alu *alu)
{
    struct ref src[4], dst;
    for (uint32_t s = 0; s < alu->nsrc; s++) {
        src[s] = lower_source(l, &i->operand[1 + s], alu->width[s]);
        if (alu->flush) src[s] = hidden_op(l, PTX_OP_cvt, alu->type, VARIANT_FTZ, src[s], lower_temp(l, alu->width[s]));
    }
    dst = lower_dest(l, &i->operand[0], alu->dest, is_signed(alu->type));
    struct sim_op *op = lower_emit(l, lower_find(l, alu->op, alu->type, alu->variant), src, alu->nsrc, &dst, 1);
    op->mode = alu->mode;
    if (!is_float(alu->type)) return;
    uint32_t t = alu->type;
    if (i->flags & PTX_RELU) hidden_op(l, PTX_OP_cvt, t, VARIANT_NAN, dst, dst);
    if (i->flags & PTX_SAT) hidden_op(l, PTX_OP_cvt, t, VARIANT_SAT, dst, dst);
    if (alu->flush) hidden_op(l, PTX_OP_cvt, t, VARIANT_FTZ, dst, dst);
}

// Emits an op for the suffix .relu of an integer instruction: a negative result becomes zero.
static void lower_relu(struct lower *l, const struct ptx_inst *i)
{
    struct ref dst = lower_dest(l, &i->operand[0], 4, 0), src[2] = {dst, lower_constant(l, 0, 4)};
    l->hidden++;
    lower_emit(l, lower_find(l, PTX_OP_max, i->type[0], VARIANT_PLAIN), src, 2, &dst, 1);
    l->hidden--;
}

// Lowers a float instruction; its rounding and its suffixes, such as .ftz and .approx, determine the variant of the
// handler. Returns 1 if the instruction was lowered, or 0 if its type is not a float type.
static int lower_floats(struct lower *l, const struct ptx_inst *i)
{
    uint32_t t = i->type[0], w = lower_width(t), nsrc = i->noperands - 1u;
    uint32_t op = i->op == PTX_OP_mad ? PTX_OP_fma : i->op;
    if (!is_float(t)) return 0;
    struct alu alu = {.op = op, .type = t, .nsrc = nsrc, .width = {w, w, w}, .dest = (uint8_t)w};
    int ftz = (i->flags & PTX_FTZ) && (t == PTX_F32 || t == PTX_F16 || t == PTX_F16X2);
    if (i->round == PTX_RZ || i->round == PTX_RM || i->round == PTX_RP) {
        alu.variant = VARIANT_DIRECTED;
        alu.mode = i->round;
    } else if (i->flags & PTX_FULL) {
        alu.variant = VARIANT_FULL;
    } else if ((i->flags & PTX_APPROX) && lower_find(l, op, t, VARIANT_APPROX)) {
        alu.variant = VARIANT_APPROX;
    } else if (i->flags & PTX_XORSIGN) {
        alu.variant = i->flags & PTX_NAN_FLAG ? VARIANT_NAN_XORSIGN : VARIANT_XORSIGN;
    } else if ((i->flags & PTX_NAN_FLAG) && (op == PTX_OP_min || op == PTX_OP_max)) {
        alu.variant = VARIANT_NAN;
    } else if (ftz && t == PTX_F32 && lower_find(l, op, t, VARIANT_FTZ)) {
        alu.variant = VARIANT_FTZ;
        ftz = 0;
    }
    alu.flush = (uint8_t)ftz;
    lower_alu(l, i, &alu);
    return 1;
}

// Returns how many bytes per lane (4 or 8, or 1 for a predicate) the register file holds for an operand that isa.def
// describes by the letter `letter`.
static uint8_t letter_width(const struct ptx_inst *i, char letter)
{
    return letter == 'D' || letter == 'u' || letter == 'r' ? 4 : (uint8_t)lower_width(i->type[0]);
}

// Lowers an instruction to one op, with the source operands that the column `operands` of isa.def lists.
void lower_plain(struct lower *l, const struct ptx_inst *i)
{
    const char *letters = ptx_isa[i->op].operands;
    struct alu alu = {.op = i->op, .type = i->type[0], .nsrc = i->noperands - 1u, .dest = letter_width(i, letters[0])};
    for (uint32_t s = 0; s < alu.nsrc; s++) alu.width[s] = letter_width(i, letters[1 + s]);
    alu.variant = i->op == PTX_OP_prmt                              ? (uint32_t)i->mode
                  : i->flags & (PTX_SAT | PTX_SHIFTAMT | PTX_CLAMP) ? VARIANT_SAT
                                                                    : VARIANT_PLAIN;
    lower_alu(l, i, &alu);
}

void lower_arithmetic(struct lower *l, const struct ptx_inst *i)
{
    if (!lower_floats(l, i)) lower_plain(l, i);
}

void lower_extreme(struct lower *l, const struct ptx_inst *i)
{
    if (lower_floats(l, i)) return;
    lower_plain(l, i);
    if (i->flags & PTX_RELU) lower_relu(l, i);
}

static void emit_carry(struct lower *l, const struct ptx_inst *i, uint32_t op, uint32_t variant, uint32_t nsrc)
{
    uint32_t w = lower_width(i->type[0]);
    struct ref src[5], dst[2];
    if (!l->carry.reg) l->carry = lower_new_reg(l, 1);
    for (uint32_t s = 0; s < nsrc; s++) src[s] = lower_source(l, &i->operand[1 + s], w);
    if (nsrc == 2) src[2] = src[1];
    dst[0] = lower_dest(l, &i->operand[0], w, 0);
    int reads = i->op == PTX_OP_addc || i->op == PTX_OP_subc || i->op == PTX_OP_madc;
    src[3] = l->carry;
    dst[1] = l->carry;
    struct sim_op *o = lower_emit(l, lower_find(l, op, i->type[0], variant), src, reads ? 4 : 3, dst, 2);
    o->mode = (uint8_t)(reads | (i->flags & PTX_CC ? 2 : 0));
}

static void emit_product(struct lower *l, const struct ptx_inst *i, uint32_t op, uint32_t nsrc)
{
    uint32_t t = i->type[0], w = lower_width(t), wide = t == PTX_U32 || t == PTX_S32 ? 8 : 4;
    int is_wide = i->part == PTX_PART_WIDE;
    if (is_wide && w == 8) lower_refuse(l, "no product is wider than 64 bits");
    struct alu alu = {.op = op, .type = t, .variant = i->part, .nsrc = nsrc, .width = {w, w, is_wide ? wide : w}};
    if (i->flags & PTX_SAT) alu.variant = VARIANT_SAT_HI;
    alu.dest = (uint8_t)(is_wide ? wide : w);
    lower_alu(l, i, &alu);
}

void lower_carried(struct lower *l, const struct ptx_inst *i) // addc, subc, madc, mad.cc
{
    uint32_t product = i->part == PTX_PART_HI ? VARIANT_CARRY_HI : VARIANT_CARRY_LO;
    if (i->op == PTX_OP_addc || i->op == PTX_OP_subc)
        emit_carry(l, i, i->op == PTX_OP_addc ? PTX_OP_add : PTX_OP_sub, VARIANT_CARRY, 2);
    else
        emit_carry(l, i, PTX_OP_mad, product, 3);
}

void lower_sum(struct lower *l, const struct ptx_inst *i)
{
    if (i->flags & PTX_CC)
        emit_carry(l, i, i->op, VARIANT_CARRY, 2);
    else
        lower_arithmetic(l, i);
}

void lower_product(struct lower *l, const struct ptx_inst *i)
{
    if (!lower_floats(l, i)) emit_product(l, i, i->op, 2);
}

void lower_product_sum(struct lower *l, const struct ptx_inst *i)
{
    if (lower_floats(l, i)) return;
    if (i->flags & PTX_CC)
        lower_carried(l, i);
    else
        emit_product(l, i, i->op, 3);
}

void lower_division(struct lower *l, const struct ptx_inst *i)
{
    if (lower_floats(l, i)) return;
    uint32_t w = lower_width(i->type[0]);
    const struct ptx_operand *b = &i->operand[2];
    if (b->kind != PTX_OPERAND_IMM || !b->bits) { // before the division, which may overwrite its divisor
        struct ref r = lower_source(l, b, w);
        int before = l->hidden;
        l->hidden = 1;
        struct sim_op *op = lower_emit(l, control_check_divisor, &r, 1, NULL, 0);
        op->mode = (uint8_t)ptx_type_bytes((enum ptx_type)i->type[0]);
        l->hidden = before;
    }
    lower_alu(l, i, &(struct alu){.op = i->op, .type = i->type[0], .nsrc = 2, .width = {w, w}, .dest = (uint8_t)w});
}

static int is_pair(uint32_t t)
{
    return t == PTX_F16X2 || t == PTX_BF16X2;
}

// Converts the half-precision sources of a comparison to floats, which is exact. If the type is a pair of halves,
// `part` selects the low half (0) or the high half (1). Returns the type in which the sources are to be compared.
static uint32_t comparison_type(struct lower *l, const struct ptx_inst *i, uint32_t type, uint32_t part,
                                struct ref src[2])
{
    if (type == PTX_PRED) lower_refuse(l, "comparisons of predicates are not supported");
    uint32_t w = lower_width(type), half = is_pair(type) ? (type == PTX_F16X2 ? PTX_F16 : PTX_BF16) : type;
    for (int s = 0; s < 2; s++) {
        src[s] = lower_source(l, &i->operand[(i->op == PTX_OP_set ? 1 : 2) + s], w);
        if ((i->flags & PTX_FTZ) && is_float(type) && type != PTX_F64)
            src[s] = hidden_op(l, PTX_OP_cvt, type, VARIANT_FTZ, src[s], lower_temp(l, w));
        if (half != PTX_F16 && half != PTX_BF16) continue;
        struct ref t = lower_temp(l, 4);
        int before = l->hidden;
        l->hidden = 1;
        if (part) {
            struct ref shift[2] = {src[s], lower_constant(l, 16, 4)};
            lower_emit(l, lower_find(l, PTX_OP_shr, PTX_U32, VARIANT_PLAIN), shift, 2, &t, 1);
            src[s] = t;
        }
        struct sim_op *op = lower_emit(l, lower_find(l, PTX_OP_cvt, PTX_NONE, VARIANT_PLAIN), &src[s], 1, &t, 1);
        op->b = half;
        op->c = PTX_F32;
        op->mode = PTX_RN;
        l->hidden = before;
        src[s] = t;
    }
    return half == PTX_F16 || half == PTX_BF16 ? PTX_F32 : type;
}

static uint32_t comparison(uint32_t cmp, uint32_t *type)
{
    if (is_float(*type)) return cmp;
    if (cmp == PTX_EQ || cmp == PTX_NE) {
        *type = uint_of(*type);
        return cmp;
    }
    if (cmp >= PTX_LO && cmp <= PTX_HS) {
        *type = uint_of(*type);
        return cmp == PTX_LO ? PTX_LT : cmp == PTX_LS ? PTX_LE : cmp == PTX_HI ? PTX_GT : PTX_GE;
    }
    return cmp;
}

static const struct ptx_operand *operand_or_null(const struct ptx_inst *i, uint32_t n)
{
    return n < i->noperands && i->operand[n].kind != PTX_OPERAND_NONE ? &i->operand[n] : NULL;
}

static void compare(struct lower *l, const struct ptx_inst *i, struct ref p, struct ref q, uint32_t source_type,
                    uint32_t part)
{
    const struct ptx_operand *c = operand_or_null(i, i->op == PTX_OP_set ? 3 : 4);
    struct ref src[3], dst[2] = {p, q};
    uint32_t type = comparison_type(l, i, source_type, part, src), cmp = comparison(i->cmp, &type), nsrc = 2;
    if (i->boolop && c) src[nsrc++] = lower_source(l, c, 1);
    struct sim_op *op = lower_emit(l, lower_find(l, PTX_OP_setp, type, cmp), src, nsrc, dst, 2);
    op->mode = nsrc == 3 ? i->boolop : 0;
}

// Lowers setp. For pairs of halves, setp stores the comparison result of the low halves in p and the result of the high
// halves in q. The destination predicates p and q are written last, because p or q may also be the source predicate of
// the same setp.
void lower_setp(struct lower *l, const struct ptx_inst *i)
{
    struct ref p = lower_dest(l, &i->operand[0], 1, 0), q = lower_dest(l, &i->operand[1], 1, 0), none = {0, 0};
    uint32_t type = i->type[0];
    if (!is_pair(type)) {
        compare(l, i, p, q, type, 0);
        return;
    }
    struct ref low = lower_temp(l, 1), high = lower_temp(l, 1);
    compare(l, i, low, none, type, 0);
    l->hidden++;
    compare(l, i, high, none, type, 1);
    l->hidden--;
    hidden_op(l, PTX_OP_mov, PTX_PRED, VARIANT_PLAIN, low, p);
    if (operand_or_null(i, 1)) hidden_op(l, PTX_OP_mov, PTX_PRED, VARIANT_PLAIN, high, q);
}

void lower_set(struct lower *l, const struct ptx_inst *i)
{
    struct ref p = lower_temp(l, 1), none = {0, 0}, src[3] = {{0, 0}, {0, 0}, p}, half[2];
    uint32_t t = i->type[0] == PTX_S16 ? PTX_U16 : i->type[0], pair = is_pair(i->type[1]);
    if (pair) t = t == PTX_F16X2 ? PTX_F16 : t == PTX_BF16X2 ? PTX_BF16 : PTX_U16;
    int before = l->hidden;
    l->hidden = 1;
    for (uint32_t part = 0; part <= pair; part++) {
        compare(l, i, p, none, i->type[1], part);
        if (!pair) break;
        half[part] = lower_temp(l, 4);
        lower_emit(l, lower_find(l, PTX_OP_set, t, VARIANT_PLAIN), src, 3, &half[part], 1);
    }
    l->hidden = before;
    struct ref d = lower_dest(l, &i->operand[0], lower_width(t), 0);
    if (pair)
        lower_emit(l, lower_find(l, PTX_OP_mov, PTX_B32, VARIANT_PLAIN), half, 2, &d, 1);
    else
        lower_emit(l, lower_find(l, PTX_OP_set, t, VARIANT_PLAIN), src, 3, &d, 1);
}

void lower_lop3(struct lower *l, const struct ptx_inst *i)
{
    struct ref src[3], d = lower_dest(l, &i->operand[0], 4, 0);
    if (i->operand[0].kind == PTX_OPERAND_SINK) d = lower_temp(l, 4);
    for (int s = 0; s < 3; s++) src[s] = lower_source(l, &i->operand[2 + s], 4);
    if (i->operand[5].kind != PTX_OPERAND_IMM) lower_refuse(l, "the table of lop3 must be a constant");
    lower_emit(l, lower_find(l, PTX_OP_lop3, PTX_B32, VARIANT_PLAIN), src, 3, &d, 1)->mode =
        (uint8_t)i->operand[5].bits;
    if (!operand_or_null(i, 1)) return;
    struct ref p = lower_dest(l, &i->operand[1], 1, 0), more[3] = {d, lower_constant(l, 0, 4), {0, 0}};
    const struct ptx_operand *q = operand_or_null(i, 6);
    if (q) more[2] = lower_source(l, q, 1);
    l->hidden++;
    lower_emit(l, lower_find(l, PTX_OP_setp, PTX_U32, PTX_NE), more, q ? 3 : 2, &p, 1)->mode = q ? i->boolop : 0;
    l->hidden--;
}

// Lowers the dot products dp4a and dp2a, whose two factors may differ in signedness.
void lower_dot(struct lower *l, const struct ptx_inst *i)
{
    struct alu alu = {.op = i->op, .type = i->type[0], .nsrc = 3, .width = {4, 4, 4}, .dest = 4};
    int with_s8 = i->type[1] == PTX_S32, high = i->part == PTX_PART_HI;
    if (i->op == PTX_OP_dp4a)
        alu.variant = with_s8 ? VARIANT_WITH_S8 : VARIANT_PLAIN;
    else
        alu.variant = high ? (with_s8 ? VARIANT_WITH_S8_HI : VARIANT_WITH_U8_HI)
                           : (with_s8 ? VARIANT_WITH_S8_LO : VARIANT_WITH_U8_LO);
    lower_alu(l, i, &alu);
}

void lower_logic(struct lower *l, const struct ptx_inst *i)
{
    uint32_t w = lower_width(i->type[0]), nsrc = i->noperands - 1u;
    struct ref src[2], d;
    for (uint32_t s = 0; s < nsrc; s++) src[s] = lower_source(l, &i->operand[1 + s], w);
    d = lower_dest(l, &i->operand[0], w, 0);
    lower_emit(l, lower_find(l, i->op, w == 1 ? PTX_PRED : i->type[0], VARIANT_PLAIN), src, nsrc, &d, 1);
}

void lower_address(struct lower *l, const struct ptx_inst *i)
{
    static const uint64_t window[PTX_SPACES] = {[PTX_SHARED] = SIM_SHARED_WINDOW,
                                                [PTX_LOCAL] = SIM_LOCAL_WINDOW,
                                                [PTX_CONST] = SIM_CONST_WINDOW,
                                                [PTX_PARAM] = SIM_PARAM_WINDOW};
    uint64_t base = window[i->space];
    if (i->op == PTX_OP_isspacep) {
        struct ref src[2] = {lower_source(l, &i->operand[1], 8), lower_constant(l, base, 8)};
        struct ref p = lower_dest(l, &i->operand[0], 1, 0);
        lower_emit(l, lower_find(l, PTX_OP_isspacep, PTX_U64, i->space == PTX_GLOBAL ? VARIANT_NE : VARIANT_PLAIN), src,
                   2, &p, 1);
        return;
    }
    uint32_t w = lower_width(i->type[0]);
    struct ref src[2] = {lower_source(l, &i->operand[1], w), lower_constant(l, base, w)};
    struct ref d = lower_dest(l, &i->operand[0], w, 0);
    if (w == 4 && base) lower_refuse(l, "cvta of 32-bit addresses is not supported");
    if (!base)
        lower_emit(l, lower_find(l, PTX_OP_mov, uint_of(i->type[0]), VARIANT_PLAIN), src, 1, &d, 1);
    else
        lower_emit(l, lower_find(l, i->flags & PTX_TO ? PTX_OP_sub : PTX_OP_add, PTX_U64, VARIANT_PLAIN), src, 2, &d,
                   1);
}

// Lowers mov.b128; source and destination are each one 128-bit register or a vector of two 64-bit registers.
static void lower_mov128(struct lower *l, const struct ptx_inst *i)
{
    struct ref half[2][2]; // halves of the destination, of the source
    for (int k = 0; k < 2; k++) {
        const struct ptx_operand *o = &i->operand[k], *e = &l->f->element[o->index];
        if (o->kind != PTX_OPERAND_VECTOR)
            lower_halves(l, o, half[k]);
        else
            for (int h = 0; h < 2; h++) half[k][h] = k ? lower_source(l, &e[h], 8) : lower_dest(l, &e[h], 8, 0);
    }
    for (int h = 0; h < 2; h++, l->hidden = 1)
        if (half[0][h].reg)
            lower_emit(l, lower_find(l, PTX_OP_mov, PTX_U64, VARIANT_PLAIN), &half[1][h], 1, &half[0][h], 1);
    l->hidden = 0;
}

// Lowers a mov that splits a register of `bits` bits into the elements of a vector.
static void unpack(struct lower *l, const struct ptx_operand *a, const struct ptx_operand *v, uint32_t bits)
{
    const struct ptx_operand *e = &l->f->element[v->index];
    uint32_t part = bits / v->count;
    enum ptx_type type = bits == 64 ? PTX_B64 : bits == 32 && part == 16 ? PTX_B32 : PTX_B16;
    struct ref src = lower_source(l, a, bits == 64 ? 8 : 4);
    for (uint32_t k = 0; k < v->count; k++) {
        struct ref to = lower_dest(l, &e[k], 4, 0);
        lower_emit(l, lower_find(l, PTX_OP_mov, type, VARIANT_HI), &src, 1, &to, 1)->mode = (uint8_t)(k * part);
        l->hidden = 1;
    }
    l->hidden = 0;
}

// Lowers a mov that combines the elements of a vector into a register of `bits` bits. A mov of two vector elements
// becomes one op. A mov of four vector elements first combines pairs of elements in two temporary registers, and then
// combines the two temporary registers.
static void pack(struct lower *l, const struct ptx_operand *d, const struct ptx_operand *v, uint32_t bits)
{
    const struct ptx_operand *e = &l->f->element[v->index];
    struct ref src[4], to, half[2];
    for (uint32_t k = 0; k < v->count; k++) src[k] = lower_source(l, &e[k], 4);
    to = lower_dest(l, d, bits == 64 ? 8 : 4, 0);
    enum ptx_type whole = bits == 64 ? PTX_B64 : bits == 32 ? PTX_B32 : PTX_B16;
    if (v->count == 2) {
        lower_emit(l, lower_find(l, PTX_OP_mov, whole, VARIANT_PLAIN), src, 2, &to, 1);
        return;
    }
    l->hidden = 1;
    for (int k = 0; k < 2; k++) {
        half[k] = lower_temp(l, 4);
        lower_emit(l, lower_find(l, PTX_OP_mov, bits == 64 ? PTX_B32 : PTX_B16, VARIANT_PLAIN), src + 2 * k, 2,
                   &half[k], 1);
    }
    l->hidden = 0;
    lower_emit(l, lower_find(l, PTX_OP_mov, whole, VARIANT_PLAIN), half, 2, &to, 1);
}

void lower_move(struct lower *l, const struct ptx_inst *i)
{
    if (lower_is_pointer_mov(l, i)) return;
    uint32_t t = i->type[0], w = lower_width(t);
    if (t == PTX_B128) {
        lower_mov128(l, i);
        return;
    }
    const struct ptx_operand *d = &i->operand[0], *a = &i->operand[1];
    if (d->kind == PTX_OPERAND_VECTOR || a->kind == PTX_OPERAND_VECTOR) {
        const struct ptx_operand *v = d->kind == PTX_OPERAND_VECTOR ? d : a;
        uint32_t bits = ptx_type_bytes((enum ptx_type)t) * 8;
        if (!w || !bits || (v->count != 2 && v->count != 4) || bits / v->count < 8)
            lower_refuse(l, "vector of this size is not supported");
        else if (v == d)
            unpack(l, a, v, bits);
        else
            pack(l, d, v, bits);
        return;
    }
    enum ptx_type type = w == 1 ? PTX_PRED : w == 8 ? PTX_U64 : PTX_U32;
    struct ref src = lower_source(l, a, w), to = lower_dest(l, d, w, 0);
    lower_emit(l, lower_find(l, PTX_OP_mov, type, VARIANT_PLAIN), &src, 1, &to, 1);
}

// Replaces the integer types *to and *from of a cvt by the types of the vectorised cvt handler that executes it. The
// handler's source type tells how many low bits of the source value count, and whether they are sign-extended or
// zero-extended. The handler's source type follows from *to if *to has 8 or 16 bits and is not wider than *from,
// otherwise from *from. Sets *to to 0 if no vectorised cvt handler fits.
static void integer_pair(uint32_t *to, uint32_t *from)
{
    if (is_float(*to) || is_float(*from)) return;
    uint32_t nt = ptx_type_bytes((enum ptx_type) * to), nf = ptx_type_bytes((enum ptx_type) * from);
    uint32_t narrow = nf < nt || nt > 2 ? *from : *to; // below 32 bits the result must be cut to the type
    int sign = is_signed(narrow);
    static const uint8_t of[2][9] = {{[1] = PTX_U8, [2] = PTX_U16, [4] = PTX_U32, [8] = PTX_U64},
                                     {[1] = PTX_S8, [2] = PTX_S16, [4] = PTX_S32, [8] = PTX_U64}};
    if (nf < nt && nt <= 2 && sign && !is_signed(*to)) *to = 0; // sign-extended, then cut: both steps are needed
    if (nf == 8 && nt <= 2) *to = 0;
    if (!*to) return;
    *from = of[sign][ptx_type_bytes((enum ptx_type)narrow)];
    *to = nt == 8 ? PTX_U64 : PTX_U32;
    if (*to == PTX_U32 && *from == PTX_S32) *from = PTX_U32;
}

void lower_convert(struct lower *l, const struct ptx_inst *i)
{
    uint32_t to = i->type[0], from = i->type[1], wt = lower_width(to), wf = lower_width(from);
    if (to == PTX_F16X2 || to == PTX_BF16X2) {
        struct ref src[2] = {lower_source(l, &i->operand[1], 4), lower_source(l, &i->operand[2], 4)};
        struct ref d = lower_dest(l, &i->operand[0], 4, 0);
        if (from != PTX_F32) lower_refuse(l, "cvt between these types is not supported");
        struct sim_op *op = lower_emit(l, lower_find(l, PTX_OP_cvt, PTX_F16X2, VARIANT_PLAIN), src, 2, &d, 1);
        op->c = to == PTX_F16X2 ? PTX_F16 : PTX_BF16;
        op->mode = (uint8_t)(i->round | (i->flags & PTX_SAT ? 16 : 0) | (i->flags & PTX_RELU ? 64 : 0));
        return;
    }
    if (from == PTX_F16X2 || from == PTX_BF16X2 || !wt || !wf || wt == 1 || wf == 1) {
        lower_refuse(l, "cvt between these types is not supported");
        return;
    }
    struct ref src = lower_source(l, &i->operand[1], wf), d = lower_dest(l, &i->operand[0], wt, is_signed(to));
    uint32_t round = i->round >= PTX_RNI ? (uint32_t)(i->round - 4) : i->round == PTX_RN ? 1 : i->round ? 99 : 0;
    uint32_t fast_to = to, fast_from = from;
    integer_pair(&fast_to, &fast_from);
    sim_handler *fast = NULL;
    if (!(i->flags & (PTX_SAT | PTX_FTZ | PTX_RELU)) && round != 99 && fast_to)
        fast = lower_find(l, PTX_OP_cvt, fast_to, VARIANT_CVT + fast_from + PTX_TYPES * round);
    if (fast) {
        lower_emit(l, fast, &src, 1, &d, 1);
        return;
    }
    struct sim_op *op = lower_emit(l, lower_find(l, PTX_OP_cvt, PTX_NONE, VARIANT_PLAIN), &src, 1, &d, 1);
    op->b = from;
    op->c = to;
    op->f = wf == 8;
    op->e = wt == 8;
    op->mode = (uint8_t)(i->round | (i->flags & PTX_SAT ? 16 : 0) | (i->flags & PTX_FTZ ? 32 : 0) |
                         (i->flags & PTX_RELU ? 64 : 0));
}

void lower_shf(struct lower *l, const struct ptx_inst *i)
{
    int clamp = (i->flags & PTX_CLAMP) != 0;
    uint32_t v = i->mode == PTX_SHF_L ? (clamp ? VARIANT_SHF_L_CLAMP : VARIANT_SHF_L_WRAP)
                                      : (clamp ? VARIANT_SHF_R_CLAMP : VARIANT_SHF_R_WRAP);
    lower_alu(l, i,
              &(struct alu){.op = i->op, .type = PTX_B32, .variant = v, .nsrc = 3, .width = {4, 4, 4}, .dest = 4});
}

void lower_slct(struct lower *l, const struct ptx_inst *i)
{
    uint32_t w = lower_width(i->type[0]);
    struct alu alu = {.op = i->op, .type = uint_of(i->type[0]), .nsrc = 3, .width = {w, w, 4}, .dest = (uint8_t)w};
    alu.variant = i->type[1] == PTX_F32 ? VARIANT_FTZ : VARIANT_PLAIN;
    lower_alu(l, i, &alu);
}

void lower_selp(struct lower *l, const struct ptx_inst *i)
{
    uint32_t w = lower_width(i->type[0]);
    struct ref src[3] = {lower_source(l, &i->operand[1], w), lower_source(l, &i->operand[2], w),
                         lower_source(l, &i->operand[3], 1)};
    struct ref d = lower_dest(l, &i->operand[0], w, 0);
    lower_emit(l, lower_find(l, PTX_OP_selp, w == 8 ? PTX_U64 : PTX_U32, VARIANT_PLAIN), src, 3, &d, 1);
}

void lower_testp(struct lower *l, const struct ptx_inst *i)
{
    uint32_t w = lower_width(i->type[0]);
    struct ref a = lower_source(l, &i->operand[1], w), src[2] = {a, a}, p = lower_dest(l, &i->operand[0], 1, 0);
    lower_emit(l, lower_find(l, i->op, i->type[0], i->mode), src, 2, &p, 1);
}

// Lowers a video instruction to one op. The field `side` of the op holds the instruction's suffixes as enum sim_video.
void lower_video(struct lower *l, const struct ptx_inst *i)
{
    int compares = i->cmp != 0; // vset has no type of its result, which is .u32
    uint32_t a = i->type[!compares], b = i->type[1 + !compares], nsrc = i->noperands - 1u;
    struct ref src[3] = {{0, 0}, {0, 0}, {0, 0}}, dst;
    for (uint32_t s = 0; s < nsrc; s++) src[s] = lower_source(l, &i->operand[1 + s], 4);
    if (nsrc == 2) src[2] = src[1];
    dst = lower_dest(l, &i->operand[0], 4, 0);
    struct sim_op *op = lower_emit(l, lower_find(l, i->op, PTX_U32, VARIANT_PLAIN), src, 3, &dst, 1);
    op->side = (!compares && i->type[0] == PTX_S32 ? VIDEO_D_SIGNED : 0) | (a == PTX_S32 ? VIDEO_A_SIGNED : 0) |
               (b == PTX_S32 ? VIDEO_B_SIGNED : 0) | (i->flags & PTX_SAT ? VIDEO_SAT : 0) |
               (i->flags & PTX_WRAP ? VIDEO_WRAP : 0) | (uint32_t)i->atom * VIDEO_SECOND | (uint32_t)i->cmp * VIDEO_CMP;
    op->mode = (uint8_t)(i->part << 1 | i->mode); // vmad: the shift of the sum, and 1 with .po
}

// ---------------------------------------------------------------- column `lowering` of isa.def

typedef void lowering(struct lower *, const struct ptx_inst *);
static lowering *const lower_by[PTX_OPS] = {
#define ISA(id, mnemonic, fields, types, operands, suffixes, form, effect, lowering, ...) lower_##lowering,
#include "ptx/isa.def"
#undef ISA
};

void lower_inst(struct lower *l, const struct ptx_inst *i)
{
    lower_by[i->op](l, i);
    lower_flush_dests(l);
}
