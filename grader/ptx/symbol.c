// Manages the names and scopes of a PTX text. Each identifier of the PTX text is stored once, in a struct atom. The
// struct atom of an identifier refers to the innermost declaration of the identifier. Each declaration stores which
// declaration of an outer scope it hides. A scope has a list of its declarations, so that closing a scope removes
// exactly these declarations.
//
// A register range (`.reg .b32 %r<1000>`) declares the prefix of register names. A name in a register range, such as
// `%r12`, becomes a register when an instruction first uses the name. Register names of a range such as `%r<1000>` that
// no instruction uses therefore cost no memory and no space in the simulator's register file.
//
// The names of registers, labels and variables are unique in a loaded function. A name that the function or the module
// already uses gets the suffix "$1", "$2" and so on. Because names are unique, a function can be printed as PTX text
// without inner scopes.
#include "ptx/parser.h"

#include <stdio.h>
#include <string.h>

uint32_t symbol_atom(struct parser *p, const char *text, size_t length)
{
    int known = hash_map_get(&p->words, text, length);
    if (known > 0) return (uint32_t)known;
    uint32_t index = (uint32_t)p->atom.count;
    struct atom *a = parser_push(p, &p->atom, sizeof *a);
    a->text = text;
    a->length = (uint32_t)length;
    hash_map_put(&p->words, text, length, (int)index);
    return index;
}

static uint32_t new_symbol(struct parser *p, uint32_t atom, enum symbol_kind kind, uint32_t scope)
{
    uint32_t index = (uint32_t)p->symbol.count;
    struct symbol *s = parser_push(p, &p->symbol, sizeof *s);
    struct atom *a = AT(p->atom, struct atom, atom);
    uint32_t *head = kind == SYMBOL_RANGE ? &a->range : &a->symbol;
    *s = (struct symbol){.kind = (uint8_t)kind, .atom = atom, .scope = scope, .shadowed = *head};
    s->next_here = p->scope[scope].first_symbol;
    p->scope[scope].first_symbol = index;
    *head = index;
    return index;
}

uint32_t symbol_declare(struct parser *p, struct token name, enum symbol_kind kind, uint32_t index)
{
    if (operand_is_special(name.text, name.length))
        parser_fail_at(p, name, "'%.*s' is a word of the language", (int)name.length, name.text);
    uint32_t atom = symbol_atom(p, name.text, name.length);
    uint32_t hidden = AT(p->atom, struct atom, atom)->symbol;
    if (hidden && AT(p->symbol, struct symbol, hidden)->scope == p->depth)
        parser_fail_at(p, name, "'%.*s' is declared twice", (int)(name.length < 80 ? name.length : 80), name.text);
    uint32_t symbol = new_symbol(p, atom, kind, p->depth);
    AT(p->symbol, struct symbol, symbol)->index = index;
    return symbol;
}

void symbol_declare_range(struct parser *p, struct token prefix, enum ptx_type type, uint32_t count)
{
    // %envreg registers are the only numbered special registers; no range declares %envreg.
    static const char envreg[] = "%envreg";
    if (prefix.length == sizeof envreg - 1 && !memcmp(prefix.text, envreg, sizeof envreg - 1))
        parser_fail_at(p, prefix, "'%s' is a word of the language", envreg);
    uint32_t atom = symbol_atom(p, prefix.text, prefix.length);
    uint32_t hidden = AT(p->atom, struct atom, atom)->range;
    if (hidden && AT(p->symbol, struct symbol, hidden)->scope == p->depth)
        parser_fail_at(p, prefix, "'%.*s<>' is declared twice", (int)prefix.length, prefix.text);
    uint32_t made = new_symbol(p, atom, SYMBOL_RANGE, p->depth); // new_symbol() may move the array of symbols
    struct symbol *s = AT(p->symbol, struct symbol, made);
    s->type = (uint8_t)type;
    s->count = count;
    if (p->depth > 1) ++p->nested_ranges;
}

// Returns the register range that contains a name such as %r12, or NULL if no range contains the name.
static struct symbol *range_of(struct parser *p, const char *text, size_t length)
{
    size_t prefix = length;
    while (prefix && text[prefix - 1] >= '0' && text[prefix - 1] <= '9') --prefix;
    size_t digits = length - prefix;
    if (!prefix || !digits || digits > 9 || (digits > 1 && text[prefix] == '0')) return NULL;
    int atom = hash_map_get(&p->words, text, prefix);
    uint32_t range = atom > 0 ? AT(p->atom, struct atom, atom)->range : 0;
    if (!range) return NULL;
    uint32_t number = 0;
    for (size_t i = prefix; i < length; ++i) number = number * 10 + (uint32_t)(text[i] - '0');
    struct symbol *s = AT(p->symbol, struct symbol, range);
    return number < s->count ? s : NULL;
}

struct symbol *symbol_find(struct parser *p, const char *text, size_t length)
{
    int atom = hash_map_get(&p->words, text, length);
    uint32_t found = atom > 0 ? AT(p->atom, struct atom, atom)->symbol : 0;
    struct symbol *s = found ? AT(p->symbol, struct symbol, found) : NULL;
    if (s && (s->scope || !p->depth) && !p->nested_ranges) return s;
    struct symbol *range = range_of(p, text, length);
    if (!range || (s && s->scope >= range->scope)) return s;
    uint8_t type = range->type;
    uint32_t scope = range->scope; // `range` is not valid after new_symbol(), which may move the array
    uint32_t made = new_symbol(p, symbol_atom(p, text, length), SYMBOL_REG, scope);
    s = AT(p->symbol, struct symbol, made);
    s->type = type;
    s->index = PTX_NO_REG;
    return s;
}

const char *symbol_unique_name(struct parser *p, uint32_t atom)
{
    struct atom *a = AT(p->atom, struct atom, atom);
    int global = 0; // 1: the module declares the name, too; the same name in the function would hide the module's name
    for (uint32_t s = a->symbol; s && !global; s = AT(p->symbol, struct symbol, s)->shadowed)
        global = AT(p->symbol, struct symbol, s)->scope == 0;
    if (a->func != p->func_serial && !global) {
        a->func = p->func_serial;
        return parser_name(p, a->text, a->length);
    }
    for (;;) {
        char suffix[16];
        int n = snprintf(suffix, sizeof suffix, "$%u", (unsigned)++AT(p->atom, struct atom, atom)->suffix);
        a = AT(p->atom, struct atom, atom);
        char *name = parser_alloc(p, a->length + (size_t)n + 1, 1);
        memcpy(name, a->text, a->length);
        memcpy(name + a->length, suffix, (size_t)n);
        uint32_t other = symbol_atom(p, name, a->length + (size_t)n);
        struct atom *o = AT(p->atom, struct atom, other);
        if (o->func == p->func_serial || o->symbol) continue;
        o->func = p->func_serial;
        return name;
    }
}

uint32_t symbol_reg(struct parser *p, struct symbol *s)
{
    if (s->index == PTX_NO_REG) {
        s->index = (uint32_t)p->reg.count;
        struct ptx_reg *r = parser_push(p, &p->reg, sizeof *r);
        r->name = symbol_unique_name(p, s->atom);
        r->type = s->type;
    }
    return s->index;
}

void symbol_open_scope(struct parser *p, struct token at)
{
    if (p->depth + 1 == PARSER_SCOPES) parser_fail_at(p, at, "more than %d scopes within each other", PARSER_SCOPES);
    p->scope[++p->depth] = (struct scope){.first_pending = p->pending.count};
}

void symbol_close_scope(struct parser *p)
{
    struct scope *scope = &p->scope[p->depth];
    for (uint32_t i = scope->first_symbol; i;) {
        struct symbol *s = AT(p->symbol, struct symbol, i);
        struct atom *a = AT(p->atom, struct atom, s->atom);
        if (s->kind == SYMBOL_RANGE) {
            a->range = s->shadowed;
            if (p->depth > 1) --p->nested_ranges;
        } else {
            a->symbol = s->shadowed;
        }
        i = s->next_here;
    }
    --p->depth;
}
