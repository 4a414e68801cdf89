// Reads the operands of PTX instructions (PTX ISA 6): registers, special registers, constants, addresses and vectors.
// Every name in an operand must be declared. The code in check.c decides which kinds of operands an instruction allows.
// A constant operand keeps the kind of its literal in `component` until check.c converts the constant to the type of
// the operand.
#include "ptx/parser.h"

#include <string.h>

#include "base/message.h"

// Returns the special register whose name is `text`, or PTX_SREGS if no special register has this name. Sets `*number`
// to the number in the name of a numbered special register such as %envreg3.
static uint32_t find_special(const char *text, size_t bytes, uint32_t *number)
{
    *number = 0;
    if (!bytes || *text != '%') return PTX_SREGS;
    size_t name = bytes;
    for (uint32_t i = 0; i < PTX_SREGS; ++i) {
        size_t length = strlen(isa_sreg[i].text);
        if (bytes < length || memcmp(text, isa_sreg[i].text, length)) continue;
        if (isa_sreg[i].components != 32) {
            if (bytes == length) return i;
            continue;
        }
        for (name = length; name < bytes && text[name] >= '0' && text[name] <= '9' && *number < 32; ++name)
            *number = *number * 10 + (uint32_t)(text[name] - '0');
        int canonical = bytes - length == (*number > 9 ? 2u : 1u);
        return name == bytes && canonical && *number < isa_sreg[i].components ? i : PTX_SREGS;
    }
    return PTX_SREGS;
}

int operand_is_special(const char *text, size_t length)
{
    uint32_t number;
    return (length == 1 && *text == '_') || (length == 7 && !memcmp(text, "WARP_SZ", 7)) ||
           find_special(text, length, &number) != PTX_SREGS;
}

static int special_register(struct parser *p, struct token t, struct ptx_operand *o)
{
    uint32_t number, found = find_special(t.text, t.length, &number);
    if (found == PTX_SREGS) return 0;
    o->kind = PTX_OPERAND_SREG;
    o->index = found;
    o->component = (uint8_t)number;
    if (isa_sreg[found].components != 3) return 1;
    struct token c = p->tok;
    if (c.kind != TOKEN_DOT || c.length != 1 || !strchr("xyzw", *c.text))
        parser_fail_at(p, c, "expected .x, .y, .z or .w after '%s'", isa_sreg[found].text);
    parser_next(p);
    o->component = (uint8_t)(*c.text == 'w' ? 3 : *c.text - 'x');
    return 1;
}

static uint64_t offset_behind(struct parser *p)
{
    struct token t = p->tok;
    if (t.kind != '+' && t.kind != '-') return 0;
    struct constant c = constant_read(p); // a sign before a constant is part of the constant
    if (c.kind != CONSTANT_INT) parser_fail_at(p, t, "an offset must be an integer");
    return c.bits;
}

static _Noreturn void unknown(struct parser *p, struct token t)
{
    int length = (int)(t.length < 80 ? t.length : 80);
    if (*t.text == '%')
        parser_fail_at(p, t, "register '%.*s' is neither declared nor a special register that is supported", length,
                       t.text);
    parser_fail_at(p, t, "'%.*s' is not declared", length, t.text);
}

static void named(struct parser *p, struct token t, struct ptx_operand *o)
{
    struct symbol *s = symbol_find(p, t.text, t.length);
    if (!s) {
        if (special_register(p, t, o)) return;
        if (t.length == 1 && *t.text == '_') {
            o->kind = PTX_OPERAND_SINK;
            return;
        }
        unknown(p, t);
    }
    switch (s->kind) {
    case SYMBOL_REG:
        o->kind = PTX_OPERAND_REG;
        o->index = symbol_reg(p, s);
        return;
    case SYMBOL_VAR:
        o->kind = PTX_OPERAND_SYMBOL;
        o->index = s->index;
        o->bits = offset_behind(p);
        return;
    case SYMBOL_FUNC:
        o->kind = PTX_OPERAND_FUNC;
        o->index = s->index;
        return;
    default:
        parser_fail_at(p, t, "label '%.*s' cannot stand here", (int)(t.length < 80 ? t.length : 80), t.text);
    }
}

static void address(struct parser *p, struct ptx_operand *o)
{
    struct token t = p->tok;
    if (t.kind == TOKEN_WORD && !constant_starts(p)) {
        parser_next(p);
        named(p, t, o);
        if (o->kind != PTX_OPERAND_REG && o->kind != PTX_OPERAND_SYMBOL)
            parser_fail_at(p, t, "'%.*s' cannot be an address", (int)(t.length < 80 ? t.length : 80), t.text);
        o->base_kind = o->kind;
        if (o->kind == PTX_OPERAND_REG) o->bits = offset_behind(p);
    } else {
        if (!constant_starts(p)) parser_fail_at(p, t, "expected an address");
        struct constant c = constant_read(p);
        if (c.kind != CONSTANT_INT) parser_fail_at(p, t, "an address must be an integer");
        o->base_kind = PTX_OPERAND_IMM;
        o->bits = c.bits;
    }
    o->kind = PTX_OPERAND_ADDRESS;
    parser_expect(p, ']', "after an address");
}

static void scalar(struct parser *p, struct ptx_operand *o)
{
    struct token t = p->tok;
    *o = (struct ptx_operand){.column = t.column};
    if (constant_starts(p)) {
        struct constant c = constant_read(p);
        o->kind = PTX_OPERAND_IMM;
        o->bits = c.bits;
        o->component = c.kind;
    } else if (t.kind == TOKEN_WORD) {
        parser_next(p);
        named(p, t, o);
    } else {
        parser_fail_at(p, t, "expected an operand");
    }
}

void operand_list(struct parser *p, struct ptx_operand *o, int close)
{
    o->kind = PTX_OPERAND_VECTOR;
    o->index = (uint32_t)p->element.count;
    o->count = 0;
    if (parser_take(p, close)) return;
    do {
        struct ptx_operand one;
        scalar(p, &one);
        *(struct ptx_operand *)parser_push(p, &p->element, sizeof one) = one;
        ++o->count;
    } while (parser_take(p, ','));
    parser_expect(p, close, "after a list");
}

void operand_read(struct parser *p, struct ptx_operand *o)
{
    *o = (struct ptx_operand){.column = p->tok.column};
    if (parser_take(p, '[')) {
        address(p, o);
    } else if (parser_take(p, '{')) {
        operand_list(p, o, '}');
    } else if (parser_take(p, '!')) {
        uint32_t column = o->column;
        scalar(p, o);
        o->negate = 1;
        o->column = column;
    } else {
        scalar(p, o);
    }
}

void operand_target(struct parser *p, uint32_t inst, uint32_t operand)
{
    struct token t = parser_word(p, "a label");
    uint32_t atom = symbol_atom(p, t.text, t.length);
    *(struct pending *)parser_push(p, &p->pending, sizeof(struct pending)) =
        (struct pending){.atom = atom, .line = t.line, .column = t.column, .inst = inst, .operand = operand};
}

// Looks for the label or table that `wanted` names among the declarations of the scope that the parser is closing. If
// `wanted` names a label of the closing scope, returns the index of the instruction after the label. If `wanted` names
// a table of the closing scope, returns the table's index. Returns PTX_NO_REG if the scope that the parser is closing
// declares no label or table with the name in `wanted`.
static uint32_t target_of(struct parser *p, const struct pending *wanted)
{
    uint32_t found = AT(p->atom, struct atom, wanted->atom)->symbol;
    struct symbol *s = AT(p->symbol, struct symbol, found);
    if (!found || s->scope != p->depth) return PTX_NO_REG;
    if (s->kind == SYMBOL_LABEL) {
        struct label *label = AT(p->label, struct label, s->index);
        label->used = 1;
        return label->inst;
    }
    return s->kind == SYMBOL_TABLE ? s->index : PTX_NO_REG;
}

void operand_resolve(struct parser *p)
{
    size_t kept = p->scope[p->depth].first_pending;
    for (size_t i = kept; i < p->pending.count; ++i) {
        struct pending wanted = *AT(p->pending, struct pending, i);
        struct atom *a = AT(p->atom, struct atom, wanted.atom);
        uint32_t index = target_of(p, &wanted);
        if (index == PTX_NO_REG) {
            if (p->depth == 1)
                parser_fail(p, wanted.line, wanted.column, "label '%.*s' is not declared",
                            (int)(a->length < 80 ? a->length : 80), a->text);
            *AT(p->pending, struct pending, kept++) = wanted; // an outer scope may declare the name later
            continue;
        }
        int is_table = AT(p->symbol, struct symbol, a->symbol)->kind == SYMBOL_TABLE;
        struct ptx_operand *o = NULL;
        if (wanted.inst != PTX_NO_REG) o = &AT(p->inst, struct ptx_inst, wanted.inst)->operand[wanted.operand];
        if (is_table != (o && o->kind == PTX_OPERAND_TABLE))
            parser_fail(p, wanted.line, wanted.column, is_table ? "'%.*s' is no label" : N_("'%.*s' is no table"),
                        (int)(a->length < 80 ? a->length : 80), a->text);
        if (o)
            o->index = index;
        else
            *AT(p->target, uint32_t, wanted.operand) = index;
    }
    p->pending.count = kept;
}
