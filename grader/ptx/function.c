// Reads functions and kernels: head, performance directives and body (PTX ISA 5.3, 11.1, 11.4). The body of a PTX
// function is a sequence of statements in nested scopes. A loop, not a recursion, reads the nested scopes of a
// function's body. At the end of a function's body, all data of the body are copied to the module's arena, and the
// parser reuses its buffers for the next function's body.
#include "ptx/parser.h"

#include <string.h>

#include "base/message.h"
#include "ptx/opcode.h"

static void parameter_list(struct parser *p, struct buffer *list)
{
    parser_expect(p, '(', "before parameters");
    if (parser_take(p, ')')) return;
    do {
        struct declared d;
        struct token t = p->tok;
        if (!parser_take_dot(p, "param")) parser_fail_at(p, t, "only .param parameters are supported");
        declaration_type(p, &d);
        declaration_name(p, &d);
        if (d.open) parser_fail_at(p, d.name, "a parameter needs a size");
        uint32_t var = declaration_add(p, &d, PTX_PARAM, 0, 0);
        *(uint32_t *)parser_push(p, list, sizeof var) = var;
    } while (parser_take(p, ','));
    parser_expect(p, ')', "after parameters");
}

// Discards the parameters of a function declaration that another declaration replaces. Marks each discarded parameter
// with the space PTX_SPACES, and link.c removes variables with this mark.
static void drop(struct parser *p, const uint32_t *var, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) AT(p->var, struct ptx_var, var[i])->space = PTX_SPACES;
}

static void adopt(struct parser *p, uint32_t func, const uint32_t *var, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) AT(p->var, struct ptx_var, var[i])->func = func;
}

static int same_shapes(struct parser *p, const uint32_t *a, const uint32_t *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
        if (AT(p->var, struct ptx_var, a[i])->bytes != AT(p->var, struct ptx_var, b[i])->bytes) return 0;
    return 1;
}

// Returns the index of the function whose name is `name`. If the function was declared before, returns the index of the
// earlier declaration. If the function is new, it is added to the parser's functions.
static uint32_t function_named(struct parser *p, struct token name, int is_entry)
{
    int atom = hash_map_get(&p->words, name.text, name.length);
    uint32_t symbol = atom > 0 ? AT(p->atom, struct atom, atom)->symbol : 0;
    // A result of the function may have the same name as the function.
    while (symbol && AT(p->symbol, struct symbol, symbol)->scope)
        symbol = AT(p->symbol, struct symbol, symbol)->shadowed;
    struct symbol *s = AT(p->symbol, struct symbol, symbol);
    if (symbol && s->kind == SYMBOL_FUNC && AT(p->func, struct ptx_func, s->index)->is_entry == is_entry)
        return s->index;
    uint32_t index = (uint32_t)p->func.count;
    uint32_t depth = p->depth;
    p->depth = 0; // the name of a function belongs to the module's scope
    symbol_declare(p, name, SYMBOL_FUNC, index);
    p->depth = depth;
    struct ptx_func *f = parser_push(p, &p->func, sizeof *f);
    f->name = parser_name(p, name.text, name.length);
    f->is_entry = (uint8_t)is_entry;
    f->line = name.line;
    f->column = name.column;
    return index;
}

// Reads up to three numbers after .maxntid or .reqntid. Missing numbers are 1.
static void extents(struct parser *p, uint32_t out[3], const char *what)
{
    out[0] = (uint32_t)parser_unsigned(p, UINT32_MAX, what);
    out[1] = out[2] = 1;
    for (int i = 1; i < 3 && parser_take(p, ','); ++i) out[i] = (uint32_t)parser_unsigned(p, UINT32_MAX, what);
}

static void pragma(struct parser *p)
{
    do {
        if (p->tok.kind == TOKEN_STRING && p->tok.length == 8 && !memcmp(p->tok.text, "nounroll", 8)) p->nounroll = 1;
        if (!parser_take(p, TOKEN_STRING)) parser_fail_at(p, p->tok, "expected a string after '.pragma'");
    } while (parser_take(p, ','));
    parser_expect(p, ';', "after '.pragma'");
}

static void tuning(struct parser *p, struct ptx_func *f)
{
    while (p->tok.kind == TOKEN_DOT) {
        struct token t = p->tok;
        if (parser_take_dot(p, "maxntid"))
            extents(p, f->maxntid, N_("a number of threads"));
        else if (parser_take_dot(p, "reqntid"))
            extents(p, f->reqntid, "a number of threads");
        else if (parser_take_dot(p, "minnctapersm"))
            f->minnctapersm = (uint32_t)parser_unsigned(p, UINT32_MAX, "a number of blocks");
        else if (parser_take_dot(p, "maxnctapersm"))
            parser_unsigned(p, UINT32_MAX, "a number of blocks");
        else if (parser_take_dot(p, "maxnreg"))
            f->maxnreg = (uint32_t)parser_unsigned(p, UINT32_MAX, "a number of registers");
        else if (parser_take_dot(p, "noreturn"))
            f->is_noreturn = 1;
        else if (parser_is_dot(p, "attribute"))
            declaration_attributes(p);
        else if (parser_take_dot(p, "pragma"))
            pragma(p);
        else
            parser_fail_at(p, t, "'.%.*s' is not supported before a function's body",
                           (int)(t.length < 40 ? t.length : 40), t.text);
    }
}

static void directive(struct parser *p)
{
    struct token t = p->tok;
    enum ptx_space space;
    if (parser_take_dot(p, "reg")) {
        declaration_reg(p);
    } else if (parser_take_dot(p, "loc")) {
        location_loc(p);
    } else if (parser_take_dot(p, "file")) {
        location_file(p);
    } else if (parser_take_dot(p, "pragma")) {
        pragma(p);
    } else if (parser_is_dot(p, "shared") || parser_is_dot(p, "local") || parser_is_dot(p, "param")) {
        declaration_space(p, &space);
        declaration_var(p, space, 0, 0);
    } else if (parser_take_dot(p, "extern")) {
        if (!declaration_space(p, &space) || space != PTX_SHARED)
            parser_fail_at(p, t, "only '.extern .shared' is supported inside a function");
        declaration_var(p, space, 1, 0);
    } else {
        parser_fail_at(p, t, "'.%.*s' is not supported inside a function", (int)(t.length < 40 ? t.length : 40),
                       t.text);
    }
}

static void guarded(struct parser *p)
{
    int negated = parser_take(p, '!');
    struct token name = parser_word(p, "a predicate");
    struct symbol *s = symbol_find(p, name.text, name.length);
    if (!s || s->kind != SYMBOL_REG || s->type != PTX_PRED)
        parser_fail_at(p, name, "'%.*s' is no predicate register", (int)(name.length < 80 ? name.length : 80),
                       name.text);
    uint32_t guard = symbol_reg(p, s);
    struct token word = parser_word(p, "an instruction");
    instruction_read(p, word, guard, negated);
}

static void labelled(struct parser *p, struct token name)
{
    if (parser_is_dot(p, "branchtargets") || parser_is_dot(p, "calltargets") || parser_is_dot(p, "callprototype")) {
        call_table(p, name);
        return;
    }
    uint32_t symbol = symbol_declare(p, name, SYMBOL_LABEL, (uint32_t)p->label.count);
    struct label *label = parser_push(p, &p->label, sizeof *label);
    label->atom = AT(p->symbol, struct symbol, symbol)->atom;
    label->inst = (uint32_t)p->inst.count;
}

static void statement(struct parser *p)
{
    struct token t = p->tok;
    if (t.kind == TOKEN_DOT) {
        directive(p);
    } else if (parser_take(p, '@')) {
        guarded(p);
    } else if (t.kind == TOKEN_WORD) {
        parser_next(p);
        if (parser_take(p, ':'))
            labelled(p, t);
        else
            instruction_read(p, t, PTX_NO_REG, 0);
    } else if (!parser_take(p, ';')) {
        parser_fail_at(p, t, t.kind == TOKEN_END ? "a function's body does not end" : N_("expected an instruction"));
    }
}

// Appends a `ret` instruction to a function's body if control can reach the end of the body, or if a branch leads to a
// label at the end.
static void end_with_ret(struct parser *p)
{
    size_t count = p->inst.count;
    int ends = 0;
    if (count) {
        const struct ptx_inst *last = AT(p->inst, struct ptx_inst, count - 1);
        ends = last->guard == PTX_NO_REG && ptx_isa[last->op].effect & (E_JUMP | E_END);
    }
    for (size_t i = p->label.count; i-- && ends && AT(p->label, struct label, i)->inst == count;)
        if (AT(p->label, struct label, i)->used) ends = 0;
    if (ends) return;
    struct ptx_inst *ret = parser_push(p, &p->inst, sizeof *ret);
    *ret = (struct ptx_inst){.op = PTX_OP_ret, .vec = 1, .guard = PTX_NO_REG, .loc = location_here(p)};
    ret->line = p->tok.line;
    ret->column = p->tok.column;
}

// Keeps the labels of function `index` for debug.c.
static void keep_debug_labels(struct parser *p, uint32_t index)
{
    for (size_t i = 0; i < p->label.count && p->module->is_debug; ++i) {
        const struct label *label = AT(p->label, struct label, i);
        *(struct debug_label *)parser_push(p, &p->debug.label, sizeof(struct debug_label)) =
            (struct debug_label){index, label->inst};
        AT(p->atom, struct atom, label->atom)->label = (uint32_t)p->debug.label.count;
    }
}

static void keep_labels(struct parser *p, struct ptx_func *f)
{
    uint32_t used = 0;
    for (size_t i = 0; i < p->label.count; ++i) used += AT(p->label, struct label, i)->used;
    f->label_inst = parser_alloc(p, used, sizeof *f->label_inst);
    f->label_name = parser_alloc(p, used, sizeof *f->label_name);
    for (size_t i = 0; i < p->label.count; ++i) {
        const struct label *label = AT(p->label, struct label, i);
        int again =
            // A second label of the same instruction is dropped.
            f->nlabels && f->label_inst[f->nlabels - 1] == label->inst;
        if (!label->used || again) continue;
        f->label_inst[f->nlabels] = label->inst;
        f->label_name[f->nlabels++] = symbol_unique_name(p, label->atom);
    }
}

static void keep_tables(struct parser *p, struct ptx_func *f)
{
    uint32_t *target = parser_keep(p, &p->target, sizeof *target);
    f->table = parser_keep(p, &p->table, sizeof *f->table);
    f->ntables = (uint32_t)p->table.count;
    for (uint32_t i = 0; i < f->ntables; ++i) {
        if (!f->table[i].ntargets) continue;
        f->table[i].target = target;
        target += f->table[i].ntargets;
    }
}

static void body(struct parser *p, uint32_t index)
{
    p->inst.count = p->element.count = p->reg.count = p->table.count = 0;
    p->label.count = p->pending.count = p->target.count = 0;
    p->nounroll = 0;
    location_start(p);
    struct token at = p->tok;
    for (uint32_t outer = p->depth;;) {
        at = p->tok;
        if (parser_take(p, '{')) {
            symbol_open_scope(p, at);
        } else if (at.kind == '}') {
            operand_resolve(p);
            if (p->depth == outer) break;
            parser_next(p);
            symbol_close_scope(p);
        } else {
            statement(p);
        }
    }
    end_with_ret(p);
    struct ptx_func *f = AT(p->func, struct ptx_func, index);
    keep_labels(p, f);
    keep_debug_labels(p, index);
    keep_tables(p, f);
    f->inst = parser_keep(p, &p->inst, sizeof *f->inst);
    f->ninsts = (uint32_t)p->inst.count;
    f->element = parser_keep(p, &p->element, sizeof *f->element);
    f->nelements = (uint32_t)p->element.count;
    f->reg = parser_keep(p, &p->reg, sizeof *f->reg);
    f->nregs = (uint32_t)p->reg.count;
    f->has_body = 1;
    parser_next(p); // skips '}'; the tokens after the '}' belong to the module
}

// Stores the results and parameters from a function's head in the function's element of parser.func. `known` is 1 if
// the function was declared before.
static void head(struct parser *p, uint32_t index, struct token name, const struct buffer *result,
                 const struct buffer *param, int known)
{
    struct ptx_func *f = AT(p->func, struct ptx_func, index);
    adopt(p, index, result->data, (uint32_t)result->count);
    adopt(p, index, param->data, (uint32_t)param->count);
    if (known) {
        if (f->nparams != param->count || f->nresults != result->count ||
            !same_shapes(p, f->param, param->data, f->nparams) || !same_shapes(p, f->result, result->data, f->nresults))
            parser_fail_at(p, name, "'%.*s' is declared with other parameters before",
                           (int)(name.length < 80 ? name.length : 80), name.text);
        drop(p, f->param, f->nparams);
        drop(p, f->result, f->nresults);
    }
    f->param = parser_keep(p, param, sizeof *f->param);
    f->nparams = (uint32_t)param->count;
    f->result = parser_keep(p, result, sizeof *f->result);
    f->nresults = (uint32_t)result->count;
}

void function_read(struct parser *p, int is_entry, int is_extern, int is_visible)
{
    ++p->func_serial;
    p->func_index = (uint32_t)p->func.count;
    p->result.count = p->param.count = 0;
    declaration_attributes(p);
    symbol_open_scope(p, p->tok);
    if (!is_entry && p->tok.kind == '(') parameter_list(p, &p->result);
    struct token name = parser_word(p, "a function's name");
    size_t before = p->func.count;
    uint32_t index = function_named(p, name, is_entry);
    p->func_index = index;
    if (p->tok.kind == '(') parameter_list(p, &p->param);
    struct ptx_func *f = AT(p->func, struct ptx_func, index);
    struct ptx_func defined = *f;
    head(p, index, name, &p->result, &p->param, p->func.count == before);
    tuning(p, f);
    if (is_visible) f->is_visible = (uint8_t)is_visible;
    struct token open = p->tok;
    if (parser_take(p, '{')) {
        if (defined.has_body) parser_fail_at(p, name, "'%s' is defined twice", f->name);
        if (is_extern) parser_fail_at(p, open, "an extern function has no body");
        f->is_extern = 0;
        body(p, index);
    } else {
        parser_expect(p, ';', "or '{' after a function's head");
        if (defined.has_body) { // this declaration follows the definition; the definition's parameters are kept
            drop(p, f->param, f->nparams);
            drop(p, f->result, f->nresults);
            f->param = defined.param;
            f->result = defined.result;
            for (uint32_t i = 0; i < f->nparams; ++i) AT(p->var, struct ptx_var, f->param[i])->space = PTX_PARAM;
            for (uint32_t i = 0; i < f->nresults; ++i) AT(p->var, struct ptx_var, f->result[i])->space = PTX_PARAM;
        } else {
            f->is_extern = (uint8_t)is_extern;
        }
    }
    symbol_close_scope(p);
}
