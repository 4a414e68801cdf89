// Checks whether the operands of a PTX instruction match the instruction's operand letters in isa.def, and whether
// registers match the types. This file also converts constants to the type of their operand. The parser refuses every
// operand that isa.def and the rules of check.c do not allow.
//
// A register operand must have the size of the operand's type (PTX ISA 6.2, 9.2). A bit type such as .b32 fits every
// type of equal size. Signed and unsigned integer types of equal size fit each other. A float type fits only itself and
// the bit type of equal size. The instructions ld, st and cvt accept registers that are wider than the operand's type.
#include "ptx/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/message.h"

void check_fail(struct parser *p, const struct ptx_inst *inst, unsigned operand, const char *format, ...)
{
    char text[200];
    va_list args;
    va_start(args, format);
    message_vprint(text, sizeof text, format, args);
    va_end(args);
    uint32_t column = inst->operand[operand].column;
    parser_fail(p, column ? p->operand_line[operand] : inst->line, column ? column : inst->column,
                "'%s': operand %u %s", isa_row[inst->op].mnemonic, operand + 1, text);
}

enum { CLASS_BITS, CLASS_INT, CLASS_HALF, CLASS_HALF2, CLASS_BHALF, CLASS_BHALF2, CLASS_FLOAT, CLASS_PRED };
static int class_of(enum ptx_type type)
{
    switch (type) {
    case PTX_F16:
        return CLASS_HALF;
    case PTX_F16X2:
        return CLASS_HALF2;
    case PTX_BF16:
        return CLASS_BHALF;
    case PTX_BF16X2:
        return CLASS_BHALF2;
    case PTX_F32:
    case PTX_F64:
        return CLASS_FLOAT;
    case PTX_PRED:
        return CLASS_PRED;
    default:
        return type <= PTX_B128 ? CLASS_BITS : CLASS_INT;
    }
}

int check_agrees(enum ptx_type instruction, enum ptx_type reg, enum check_width width)
{
    int want = class_of(instruction), have = class_of(reg);
    if (want == CLASS_PRED || have == CLASS_PRED) return want == have;
    uint32_t wanted = ptx_type_bytes(instruction), got = ptx_type_bytes(reg);
    if (got < wanted) return 0;
    if (got > wanted) return width == CHECK_MAY_BE_WIDER && (have == CLASS_BITS || have == CLASS_INT);
    return want == CLASS_BITS || have == CLASS_BITS || want == have;
}

static void check_register(struct parser *p, const struct ptx_inst *inst, unsigned i, const struct ptx_operand *o,
                           enum ptx_type type, enum check_width width)
{
    const struct ptx_reg *reg = AT(p->reg, struct ptx_reg, o->index);
    if (!check_agrees(type, (enum ptx_type)reg->type, width))
        check_fail(p, inst, i, "is .%s register '%.60s' where .%s is needed", ptx_type_name((enum ptx_type)reg->type),
                   reg->name, ptx_type_name(type));
}

void check_convert(struct parser *p, unsigned i, struct ptx_operand *o, enum ptx_type type)
{
    struct constant c = {.bits = o->bits, .kind = o->component};
    if (T_BIT(type) & (T_HALF | T_PAIR | T_B128))
        parser_fail(p, p->operand_line[i], o->column, "there are no constants of .%s", ptx_type_name(type));
    o->bits = constant_convert(p, &c, type, p->operand_line[i], o->column);
    o->component = type == PTX_F32 ? CONSTANT_F32 : type == PTX_F64 ? CONSTANT_F64 : CONSTANT_INT;
}

static void no_negation(struct parser *p, const struct ptx_inst *inst, unsigned i)
{
    if (inst->operand[i].negate) check_fail(p, inst, i, "cannot be negated with '!'");
}

static void source(struct parser *p, struct ptx_inst *inst, unsigned i, struct ptx_operand *o, enum ptx_type type,
                   enum check_width width)
{
    if (o->kind == PTX_OPERAND_REG)
        check_register(p, inst, i, o, type, width);
    else if (o->kind == PTX_OPERAND_IMM)
        check_convert(p, i, o, type);
    else
        check_fail(p, inst, i, "must be a register or a constant");
}

void check_source(struct parser *p, struct ptx_inst *inst, unsigned i, enum ptx_type type, enum check_width width)
{
    no_negation(p, inst, i);
    source(p, inst, i, &inst->operand[i], type, width);
}

void check_destination(struct parser *p, struct ptx_inst *inst, unsigned i, enum ptx_type type, enum check_width width)
{
    const struct ptx_operand *o = &inst->operand[i];
    no_negation(p, inst, i);
    char letter = isa_row[inst->op].operands[i];
    if (o->kind == PTX_OPERAND_SINK && (letter == 's' || letter == 'S')) return;
    if (o->kind != PTX_OPERAND_REG) check_fail(p, inst, i, "must be a register");
    check_register(p, inst, i, o, type, width);
}

void check_predicate(struct parser *p, struct ptx_inst *inst, unsigned i)
{
    const struct ptx_operand *o = &inst->operand[i];
    if (o->kind != PTX_OPERAND_REG) check_fail(p, inst, i, "must be a predicate register");
    check_register(p, inst, i, o, PTX_PRED, CHECK_EXACT);
}

void check_vector(struct parser *p, struct ptx_inst *inst, unsigned i, uint32_t count, enum ptx_type type,
                  enum check_width width, int is_destination)
{
    const struct ptx_operand *o = &inst->operand[i];
    if (o->kind != PTX_OPERAND_VECTOR || o->count != count)
        check_fail(p, inst, i, "must be a vector of %u", (unsigned)count);
    for (uint32_t k = 0; k < count; ++k) {
        struct ptx_operand *e = AT(p->element, struct ptx_operand, o->index + k);
        if (!is_destination)
            source(p, inst, i, e, type, width);
        else if (e->kind == PTX_OPERAND_REG)
            check_register(p, inst, i, e, type, width);
        else if (e->kind != PTX_OPERAND_SINK)
            check_fail(p, inst, i, "must hold registers");
    }
}

static void second_predicate(struct parser *p, struct ptx_inst *inst, unsigned i)
{
    uint8_t kind = inst->operand[i].kind;
    if (kind == PTX_OPERAND_NONE || kind == PTX_OPERAND_SINK) return;
    no_negation(p, inst, i);
    check_predicate(p, inst, i);
}

// Returns 1 if the variable is a parameter of the function that is being read. Returns 0 for .param variables that are
// no parameters: the return value of the function that is being read, and variables declared for a call.
static int is_parameter(struct parser *p, uint32_t var)
{
    const struct ptx_func *f = AT(p->func, struct ptx_func, p->func_index);
    // A function's parameters are declared one after the other, so their indices are consecutive.
    return f->nparams && var >= f->param[0] && var <= f->param[f->nparams - 1];
}

static void address(struct parser *p, struct ptx_inst *inst, unsigned i, enum ptx_space space)
{
    const struct ptx_operand *o = &inst->operand[i];
    if (o->kind != PTX_OPERAND_ADDRESS) check_fail(p, inst, i, "must be an address in [ ]");
    if (o->base_kind == PTX_OPERAND_SYMBOL) {
        const struct ptx_var *v = AT(p->var, struct ptx_var, o->index);
        int fits = v->space == space || (space == PTX_GENERIC && v->space == PTX_GLOBAL);
        if (!fits) check_fail(p, inst, i, "names '%.60s', which is in another space", v->name);
        if (ptx_isa[inst->op].effect & E_STORE && is_parameter(p, o->index))
            check_fail(p, inst, i, "is parameter '%.60s' of the function itself, which is only read", v->name);
    } else if (o->base_kind == PTX_OPERAND_REG) {
        const struct ptx_reg *r = AT(p->reg, struct ptx_reg, o->index);
        int is_short =
            space != PTX_GENERIC && space != PTX_GLOBAL && check_agrees(PTX_U32, (enum ptx_type)r->type, CHECK_EXACT);
        if (!is_short && !check_agrees(PTX_U64, (enum ptx_type)r->type, CHECK_EXACT))
            check_fail(p, inst, i, "has .%s register '%.60s' as its address", ptx_type_name((enum ptx_type)r->type),
                       r->name);
    }
}

static void data(struct parser *p, struct ptx_inst *inst, unsigned i, int is_destination)
{
    enum ptx_type type = (enum ptx_type)inst->type[0];
    if (inst->vec > 1)
        check_vector(p, inst, i, inst->vec, type, CHECK_MAY_BE_WIDER, is_destination);
    else if (is_destination)
        check_destination(p, inst, i, type, CHECK_MAY_BE_WIDER);
    else
        check_source(p, inst, i, type, CHECK_MAY_BE_WIDER);
}

static void constant(struct parser *p, struct ptx_inst *inst, unsigned i)
{
    if (inst->operand[i].kind != PTX_OPERAND_IMM) check_fail(p, inst, i, "must be a constant");
    check_source(p, inst, i, PTX_U32, CHECK_EXACT);
}

static enum ptx_type widened(const struct ptx_inst *inst)
{
    enum ptx_type type = (enum ptx_type)inst->type[0];
    if (inst->part != PTX_PART_WIDE) return type;
    switch (type) {
    case PTX_U16:
        return PTX_U32;
    case PTX_S16:
        return PTX_S32;
    case PTX_U32:
        return PTX_U64;
    default:
        return PTX_S64; // the type is S32, because check_suffixes() refuses all other types
    }
}

static void typed(struct parser *p, struct ptx_inst *inst, unsigned i, int is_destination)
{
    enum ptx_type type = (enum ptx_type)inst->type[0];
    if (inst->vec > 1)
        check_vector(p, inst, i, inst->vec, type, CHECK_EXACT, is_destination);
    else if (is_destination)
        check_destination(p, inst, i, type, CHECK_EXACT);
    else
        check_source(p, inst, i, type, CHECK_EXACT);
}

// Checks operand number `i` of the instruction if `letter`, the operand's letter in isa.def, stands for a destination.
// Returns 0 if the letter does not stand for a destination, otherwise 1.
static int destination(struct parser *p, struct ptx_inst *inst, unsigned i, char letter)
{
    switch (letter) {
    case 'd':
    case 's':
        typed(p, inst, i, 1);
        break;
    case 'D':
    case 'S':
        check_destination(p, inst, i, PTX_B32, CHECK_EXACT);
        break;
    case 'W':
        check_destination(p, inst, i, widened(inst), CHECK_EXACT);
        break;
    case 'q':
        no_negation(p, inst, i);
        check_predicate(p, inst, i);
        break;
    case 'e':
        second_predicate(p, inst, i);
        break;
    default:
        return 0;
    }
    return 1;
}

static void operand(struct parser *p, struct ptx_inst *inst, unsigned i, char letter)
{
    if (destination(p, inst, i, letter)) return;
    switch (letter) {
    case 'a':
    case 'A':
        typed(p, inst, i, 0);
        break;
    case 'b':
        check_source(p, inst, i, (enum ptx_type)inst->type[1], CHECK_EXACT);
        break;
    case 'w':
        check_source(p, inst, i, widened(inst), CHECK_EXACT);
        break;
    case 'u':
    case 'U':
        check_source(p, inst, i, PTX_U32, CHECK_EXACT);
        break;
    case 'r':
        check_source(p, inst, i, PTX_B32, CHECK_EXACT);
        break;
    case 'n':
        constant(p, inst, i);
        break;
    case 'p':
    case 'P':
        check_predicate(p, inst, i);
        break;
    case 'm':
        address(p, inst, i, (enum ptx_space)inst->space);
        break;
    case 'g':
        address(p, inst, i, PTX_GLOBAL);
        break;
    case 'h':
        address(p, inst, i, PTX_SHARED);
        break;
    case 'v':
        data(p, inst, i, i == 0);
        break;
    case 'f':
        check_vector(p, inst, i, inst->mode, PTX_B32, CHECK_EXACT, i == 0);
        break;
    case 'l':
    case 't': // operand_resolve() resolves the label or table when its scope ends
    case 'x':
    case 'X':
    case 'y': // check_form() has checked the operand
        break;
    default:
        BUG("no rule for operand letter '%c'", letter);
    }
}

void check_instruction(struct parser *p, struct ptx_inst *inst)
{
    check_suffixes(p, inst);
    check_form(p, inst);
    const char *letters = isa_row[inst->op].operands;
    if (*letters == 'B') return;
    for (unsigned i = 0; i < inst->noperands && letters[i]; ++i) operand(p, inst, i, letters[i]);
}
