// Reads declarations of registers, and of variables of every space with their type, alignment and dimensions (PTX ISA
// 5.1, 5.4).
#include "ptx/parser.h"

#include <string.h>

enum { LARGEST_ALIGN = 65536, MOST_REGISTERS = 1 << 24, DIMENSIONS = 8 };
static const uint64_t largest_variable = 1ull << 40;

int declaration_space(struct parser *p, enum ptx_space *space)
{
    static const struct {
        const char *word;
        enum ptx_space space;
    } spaces[] = {{"global", PTX_GLOBAL},
                  {"shared", PTX_SHARED},
                  {"local", PTX_LOCAL},
                  {"const", PTX_CONST},
                  {"param", PTX_PARAM}};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; ++i) {
        if (!parser_take_dot(p, spaces[i].word)) continue;
        *space = spaces[i].space;
        return 1;
    }
    return 0;
}

void declaration_attributes(struct parser *p)
{
    while (parser_take_dot(p, "attribute")) {
        parser_expect(p, '(', "after '.attribute'");
        while (p->tok.kind != ')' && p->tok.kind != TOKEN_END) parser_next(p);
        parser_expect(p, ')', "after an attribute");
    }
}

static uint32_t alignment(struct parser *p)
{
    struct token t = p->tok;
    uint64_t align = parser_unsigned(p, LARGEST_ALIGN, "an alignment");
    if (!align || (align & (align - 1))) parser_fail_at(p, t, "an alignment must be a power of two");
    return (uint32_t)align;
}

// Skips a description such as `.ptr .global .align 4` of the memory that a pointer parameter points to.
static void pointee(struct parser *p)
{
    enum ptx_space space;
    declaration_space(p, &space);
    if (parser_take_dot(p, "align")) alignment(p);
}

void declaration_type(struct parser *p, struct declared *d)
{
    *d = (struct declared){.type = PTX_NONE};
    uint32_t vector = 1;
    for (;;) {
        struct token t = p->tok;
        if (parser_take_dot(p, "align")) {
            d->align = alignment(p);
        } else if (parser_is_dot(p, "attribute")) {
            declaration_attributes(p);
        } else if (parser_take_dot(p, "ptr")) {
            pointee(p);
        } else if (parser_take_dot(p, "v2")) {
            vector = 2;
        } else if (parser_take_dot(p, "v4")) {
            vector = 4;
        } else if (t.kind == TOKEN_DOT) {
            enum ptx_type type = isa_type(t.text, t.length);
            if (type == PTX_NONE || type == PTX_PRED)
                parser_fail_at(p, t, "'.%.*s' is not supported in a declaration", (int)(t.length < 40 ? t.length : 40),
                               t.text);
            if (d->type) parser_fail_at(p, t, "a declaration has two types");
            parser_next(p);
            d->type = (uint8_t)type;
        } else {
            break;
        }
    }
    if (!d->type) parser_fail_at(p, p->tok, "expected a type");
    d->bytes = vector * ptx_type_bytes((enum ptx_type)d->type);
    if (!d->align) d->align = (uint32_t)d->bytes;
}

void declaration_name(struct parser *p, struct declared *d)
{
    uint64_t length[DIMENSIONS];
    d->name = parser_word(p, "a name");
    d->ndims = 0;
    d->open = 0;
    uint64_t element = d->bytes;
    while (p->tok.kind == '[') {
        struct token t = p->tok;
        if (d->ndims == DIMENSIONS - 1) parser_fail_at(p, t, "more than %d dimensions", DIMENSIONS - 1);
        parser_next(p);
        if (p->tok.kind == ']' && !d->ndims) {
            d->open = 1;
            length[d->ndims++] = 0;
        } else {
            struct token size = p->tok;
            struct constant c = constant_read(p);
            if (c.kind != CONSTANT_INT || c.bits > largest_variable)
                parser_fail_at(p, size, "an array's length must be an integer of at most %llu",
                               (unsigned long long)largest_variable);
            length[d->ndims++] = c.bits;
        }
        parser_expect(p, ']', "after an array's length");
    }
    d->stride[d->ndims] = element;
    for (uint32_t i = d->ndims; i--;) {
        if (__builtin_mul_overflow(d->stride[i + 1], length[i], &d->stride[i]) || d->stride[i] > largest_variable)
            parser_fail_at(p, d->name, "'%.*s' is larger than %llu bytes",
                           (int)(d->name.length < 80 ? d->name.length : 80), d->name.text,
                           (unsigned long long)largest_variable);
    }
    d->bytes = d->stride[0];
}

// Returns the index of the module's variable that the declaration repeats, or PTX_NO_REG if the name is new. A module
// may declare a variable twice if at least one declaration is extern. The properties of the definition replace the
// properties of the extern declaration.
static uint32_t redeclared(struct parser *p, const struct declared *d, enum ptx_space space, int is_extern,
                           int is_visible)
{
    int atom = p->depth ? -1 : hash_map_get(&p->words, d->name.text, d->name.length);
    uint32_t symbol = atom > 0 ? AT(p->atom, struct atom, atom)->symbol : 0;
    if (!symbol || AT(p->symbol, struct symbol, symbol)->kind != SYMBOL_VAR) return PTX_NO_REG;
    uint32_t index = AT(p->symbol, struct symbol, symbol)->index;
    struct ptx_var *v = AT(p->var, struct ptx_var, index);
    if (!(is_extern || v->is_extern) || v->space != space || v->type != d->type) return PTX_NO_REG;
    if (!is_extern) {
        v->is_extern = 0;
        v->is_visible = (uint8_t)is_visible;
        v->bytes = d->bytes;
        v->align = d->align;
    }
    return index;
}

uint32_t declaration_add(struct parser *p, const struct declared *d, enum ptx_space space, int is_extern,
                         int is_visible)
{
    uint32_t index = redeclared(p, d, space, is_extern, is_visible);
    if (index != PTX_NO_REG) return index;
    index = (uint32_t)p->var.count;
    uint32_t symbol = symbol_declare(p, d->name, SYMBOL_VAR, index);
    uint32_t atom = AT(p->symbol, struct symbol, symbol)->atom;
    struct ptx_var v = {
        .space = (uint8_t)space,
        .type = d->type,
        .is_extern = (uint8_t)is_extern,
        .is_visible = (uint8_t)is_visible,
        .align = d->align,
        .bytes = d->bytes,
        .func = p->depth ? p->func_index : PTX_NO_REG,
        .line = d->name.line,
        .column = d->name.column,
    };
    if (p->depth && space == PTX_SHARED) AT(p->atom, struct atom, atom)->shared = index + 1;
    v.name = p->depth ? symbol_unique_name(p, atom) : parser_name(p, d->name.text, d->name.length);
    *(struct ptx_var *)parser_push(p, &p->var, sizeof v) = v;
    return index;
}

void declaration_var(struct parser *p, enum ptx_space space, int is_extern, int is_visible)
{
    struct declared d;
    declaration_type(p, &d);
    uint64_t element = d.bytes;
    do {
        d.bytes = element;
        declaration_name(p, &d);
        if (d.open && p->tok.kind != '=' && !is_extern)
            parser_fail_at(p, d.name, "'%.*s' has no size", (int)(d.name.length < 80 ? d.name.length : 80),
                           d.name.text);
        uint32_t var = declaration_add(p, &d, space, is_extern, is_visible);
        struct token equals = p->tok;
        if (parser_take(p, '=')) {
            if (space != PTX_GLOBAL && space != PTX_CONST)
                parser_fail_at(p, equals, "only .global and .const variables can have initial values");
            initializer_read(p, var, &d);
        }
    } while (parser_take(p, ','));
    parser_expect(p, ';', "after a variable");
}

static void register_range(struct parser *p, struct token name, enum ptx_type type)
{
    uint64_t count = parser_unsigned(p, MOST_REGISTERS, "a number of registers");
    parser_expect(p, '>', "after a number of registers");
    symbol_declare_range(p, name, type, (uint32_t)count);
}

void declaration_reg(struct parser *p)
{
    struct token t = p->tok;
    enum ptx_type type = t.kind == TOKEN_DOT ? isa_type(t.text, t.length) : PTX_NONE;
    if (type == PTX_NONE) parser_fail_at(p, t, "expected a register type that is supported");
    parser_next(p);
    do {
        struct token name = parser_word(p, "a register's name");
        if (parser_take(p, '<')) {
            register_range(p, name, type);
        } else {
            uint32_t symbol = symbol_declare(p, name, SYMBOL_REG, PTX_NO_REG);
            AT(p->symbol, struct symbol, symbol)->type = (uint8_t)type;
        }
    } while (parser_take(p, ','));
    parser_expect(p, ';', "after registers");
}
