// Completes a module after its whole text has been read. Linking is the last stage of loading. Linking resolves names
// in initialisers, checks the files of .loc lines, and sorts variables and functions. In the sorted array module.var,
// the variables of the module come first, then the variables of each function. In the sorted array module.func,
// functions come before kernels. A program that prints a module as PTX text can reproduce the sorted order of variables
// and functions. A module that is printed as PTX text and loaded again therefore equals the original module
// (tests/ptx_text).
#include "ptx/parser.h"

#include <string.h>

struct renumbering {
    uint32_t *var, *func; // [old index]: new index of each variable and function
};

// Finds the variable or function with the name `a`, which an initialiser contains, and stores its kind and its index in
// the struct ptx_reloc. The compiler clang moves a __shared__ array into the only function that uses the array. Outside
// of the function to which clang has moved an array, clang still names the array in initialisers such as `float
// *rows[2] = {a, b}`. Returns 0, or -1 if no variable or function has the name `a`.
static int find_name(struct parser *p, const struct atom *a, struct ptx_reloc *r)
{
    const struct symbol *s = AT(p->symbol, struct symbol, a->symbol);
    if (a->symbol && (s->kind == SYMBOL_VAR || s->kind == SYMBOL_FUNC)) {
        r->is_func = s->kind == SYMBOL_FUNC;
        r->symbol = s->index;
        return 0;
    }
    if (!a->shared) return -1;
    r->symbol = a->shared - 1;
    return 0;
}

static void find_names(struct parser *p)
{
    for (size_t i = 0; i < p->late.count; ++i) {
        const struct late_reloc *late = AT(p->late, struct late_reloc, i);
        const struct atom *a = AT(p->atom, struct atom, late->atom);
        if (find_name(p, a, &AT(p->var, struct ptx_var, late->var)->reloc[late->reloc]))
            parser_fail(p, late->line, late->column, "'%.*s' is not declared", (int)(a->length < 80 ? a->length : 80),
                        a->text);
    }
}

static void check_files(struct parser *p)
{
    for (size_t i = 1; i < p->loc.count; ++i) {
        uint32_t file = AT(p->loc, struct ptx_loc, i)->file;
        const struct place *at = AT(p->loc_at, struct place, i);
        if (file >= p->file.count || !*AT(p->file, const char *, file))
            parser_fail(p, at->text_line, at->text_column, "no '.file' declares file %u", (unsigned)file);
    }
}

static void order_funcs(struct parser *p, struct renumbering *n)
{
    struct ptx_module *m = p->module;
    m->nfuncs = (uint32_t)p->func.count;
    m->func = parser_alloc(p, m->nfuncs, sizeof *m->func);
    uint32_t next = 0;
    for (int entries = 0; entries < 2; ++entries)
        for (uint32_t i = 0; i < m->nfuncs; ++i) {
            const struct ptx_func *f = AT(p->func, struct ptx_func, i);
            if (f->is_entry != entries) continue;
            n->func[i] = next;
            m->func[next++] = *f;
        }
}

static void order_vars(struct parser *p, struct renumbering *n)
{
    struct ptx_module *m = p->module;
    uint32_t count = (uint32_t)p->var.count, funcs = (uint32_t)p->func.count;
    // first[]: index of the first variable of each owner; owner 0 is the module, owner i + 1 is function i
    uint32_t *first = parser_alloc(p, (size_t)funcs + 2, sizeof *first);
    for (uint32_t i = 0; i < count; ++i) {
        const struct ptx_var *v = AT(p->var, struct ptx_var, i);
        if (v->space == PTX_SPACES) continue; // a later declaration replaced this variable
        ++first[v->func == PTX_NO_REG ? 1 : n->func[v->func] + 2];
        ++m->nvars;
    }
    for (uint32_t i = 1; i < funcs + 2; ++i) first[i] += first[i - 1];
    m->var = parser_alloc(p, m->nvars, sizeof *m->var);
    for (uint32_t i = 0; i < count; ++i) {
        const struct ptx_var *v = AT(p->var, struct ptx_var, i);
        if (v->space == PTX_SPACES) continue;
        uint32_t owner = v->func == PTX_NO_REG ? 0 : n->func[v->func] + 1;
        n->var[i] = first[owner]++;
        m->var[n->var[i]] = *v;
        if (owner) m->var[n->var[i]].func = owner - 1;
    }
}

static void renumber_operand(const struct renumbering *n, struct ptx_operand *o)
{
    uint8_t kind = o->kind == PTX_OPERAND_ADDRESS ? o->base_kind : o->kind;
    if (kind == PTX_OPERAND_SYMBOL) o->index = n->var[o->index];
    if (kind == PTX_OPERAND_FUNC) o->index = n->func[o->index];
}

static void renumber_func(const struct renumbering *n, struct ptx_func *f)
{
    for (uint32_t i = 0; i < f->nparams; ++i) f->param[i] = n->var[f->param[i]];
    for (uint32_t i = 0; i < f->nresults; ++i) f->result[i] = n->var[f->result[i]];
    for (uint32_t i = 0; i < f->nelements; ++i) renumber_operand(n, &f->element[i]);
    for (uint32_t i = 0; i < f->ninsts; ++i)
        for (uint32_t k = 0; k < f->inst[i].noperands; ++k) renumber_operand(n, &f->inst[i].operand[k]);
    for (uint32_t i = 0; i < f->ntables; ++i)
        for (uint32_t k = 0; k < f->table[i].ntargets && f->table[i].kind == PTX_CALL_TARGETS; ++k)
            f->table[i].target[k] = n->func[f->table[i].target[k]];
}

void link_module(struct parser *p)
{
    struct ptx_module *m = p->module;
    find_names(p);
    check_files(p);
    struct renumbering n = {.var = parser_alloc(p, p->var.count + 1, sizeof *n.var),
                            .func = parser_alloc(p, p->func.count + 1, sizeof *n.func)};
    order_funcs(p, &n);
    order_vars(p, &n);
    for (uint32_t i = 0; i < m->nfuncs; ++i) renumber_func(&n, &m->func[i]);
    for (uint32_t i = 0; i < m->nvars; ++i)
        for (uint32_t k = 0; k < m->var[i].nrelocs; ++k) {
            struct ptx_reloc *r = &m->var[i].reloc[k];
            r->symbol = r->is_func ? n.func[r->symbol] : n.var[r->symbol];
        }
    for (size_t i = 0; i < p->debug.label.count; ++i) {
        struct debug_label *label = AT(p->debug.label, struct debug_label, i);
        label->func = n.func[label->func];
    }
    m->loc = parser_keep(p, &p->loc, sizeof *m->loc);
    m->nlocs = (uint32_t)p->loc.count;
    m->file = parser_keep(p, &p->file, sizeof *m->file);
    m->nfiles = (uint32_t)p->file.count;
}
