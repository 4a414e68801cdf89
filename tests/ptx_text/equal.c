// Equality of two modules as programs: everything but places in the PTX text and the names that only a function's own
// lines use (registers, labels, its variables). Places in the source are compared as they are met, since the order of
// functions decides their numbers: `twin` holds for each place of one module the place of the other it was met with.
#include "ptx_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "ptx/isa.h"

struct pair {
    const struct ptx_module *a, *b;
    uint32_t *twin; // 0: not met
};

static int same_name(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static int same_relocs(const struct ptx_var *a, const struct ptx_var *b)
{
    if (a->nrelocs != b->nrelocs) return 0;
    for (uint32_t i = 0; i < a->nrelocs; ++i) {
        const struct ptx_reloc *x = &a->reloc[i], *y = &b->reloc[i];
        if (x->offset != y->offset || x->is_func != y->is_func || x->is_generic != y->is_generic ||
            x->symbol != y->symbol || x->addend != y->addend)
            return 0;
    }
    return 1;
}

static int same_var(const struct ptx_var *a, const struct ptx_var *b)
{
    return (a->func != PTX_NO_REG || same_name(a->name, b->name)) && a->space == b->space && a->type == b->type &&
           a->is_extern == b->is_extern && a->is_visible == b->is_visible && a->align == b->align &&
           a->bytes == b->bytes && a->func == b->func && a->init_bytes == b->init_bytes &&
           (!a->init_bytes || !memcmp(a->init, b->init, a->init_bytes)) && same_relocs(a, b);
}

// Places are numbered so that a caller comes before what is inlined into it: the walk up ends.
static int same_loc(struct pair *m, uint32_t a, uint32_t b)
{
    while (a && b) {
        if (m->twin[a]) return m->twin[a] == b;
        const struct ptx_loc *x = &m->a->loc[a], *y = &m->b->loc[b];
        if (x->file != y->file || x->line != y->line || x->column != y->column) return 0;
        m->twin[a] = b;
        a = x->inlined_at;
        b = y->inlined_at;
    }
    return a == b;
}

static int same_scalar(const struct ptx_operand *a, const struct ptx_operand *b)
{
    return a->kind == b->kind && a->base_kind == b->base_kind && a->negate == b->negate &&
           a->component == b->component && a->count == b->count && a->bits == b->bits;
}

static int same_operand(const struct ptx_func *f, const struct ptx_func *g, const struct ptx_operand *a,
                        const struct ptx_operand *b)
{
    if (!same_scalar(a, b)) return 0;
    if (a->kind != PTX_OPERAND_VECTOR) return a->index == b->index;
    for (uint32_t i = 0; i < a->count; ++i) {
        const struct ptx_operand *x = &f->element[a->index + i], *y = &g->element[b->index + i];
        if (!same_scalar(x, y) || x->index != y->index) return 0;
    }
    return 1;
}

static int same_inst(struct pair *m, const struct ptx_func *f, const struct ptx_func *g, const struct ptx_inst *a,
                     const struct ptx_inst *b)
{
    if (a->op != b->op || a->type[0] != b->type[0] || a->type[1] != b->type[1] || a->type[2] != b->type[2] ||
        a->round != b->round || a->cmp != b->cmp || a->boolop != b->boolop || a->space != b->space ||
        a->sem != b->sem || a->scope != b->scope || a->cache != b->cache || a->atom != b->atom || a->part != b->part ||
        a->mode != b->mode || a->vec != b->vec || a->noperands != b->noperands ||
        a->guard_negated != b->guard_negated || a->flags != b->flags || a->guard != b->guard ||
        a->nounroll != b->nounroll)
        return 0;
    for (uint32_t i = 0; i < a->noperands; ++i)
        if (!same_operand(f, g, &a->operand[i], &b->operand[i])) return 0;
    return same_loc(m, a->loc, b->loc);
}

static int same_table(const struct ptx_table *a, const struct ptx_table *b)
{
    if (a->kind != b->kind || a->ntargets != b->ntargets || a->nresults != b->nresults || a->nparams != b->nparams)
        return 0;
    for (uint32_t i = 0; i < a->ntargets; ++i)
        if (a->target[i] != b->target[i]) return 0;
    for (uint32_t i = 0; i < a->nresults + a->nparams; ++i) {
        const struct ptx_shape *x = &a->shape[i], *y = &b->shape[i];
        if (x->type != y->type || x->align != y->align || x->bytes != y->bytes) return 0;
    }
    return 1;
}

static int same_head(const struct ptx_func *a, const struct ptx_func *b)
{
    return same_name(a->name, b->name) && a->is_entry == b->is_entry && a->is_extern == b->is_extern &&
           a->is_visible == b->is_visible && a->has_body == b->has_body && a->is_noreturn == b->is_noreturn &&
           a->nparams == b->nparams && a->nresults == b->nresults && a->nregs == b->nregs && a->ninsts == b->ninsts &&
           a->ntables == b->ntables && a->nlabels == b->nlabels && a->maxnreg == b->maxnreg &&
           a->registers == b->registers && a->minnctapersm == b->minnctapersm &&
           !memcmp(a->maxntid, b->maxntid, sizeof a->maxntid) && !memcmp(a->reqntid, b->reqntid, sizeof a->reqntid);
}

static int same_func(struct pair *m, const struct ptx_func *a, const struct ptx_func *b)
{
    if (!same_head(a, b)) return 0;
    for (uint32_t i = 0; i < a->nparams; ++i)
        if (a->param[i] != b->param[i]) return 0;
    for (uint32_t i = 0; i < a->nresults; ++i)
        if (a->result[i] != b->result[i]) return 0;
    for (uint32_t i = 0; i < a->nregs; ++i)
        if (a->reg[i].type != b->reg[i].type) return 0;
    for (uint32_t i = 0; i < a->nlabels; ++i)
        if (a->label_inst[i] != b->label_inst[i]) return 0;
    for (uint32_t i = 0; i < a->ntables; ++i)
        if (!same_table(&a->table[i], &b->table[i])) return 0;
    for (uint32_t i = 0; i < a->ninsts; ++i)
        if (!same_inst(m, a, b, &a->inst[i], &b->inst[i])) return 0;
    return 1;
}

int ptx_equal(const struct ptx_module *a, const struct ptx_module *b)
{
    if (a->version != b->version || a->sm != b->sm || a->is_debug != b->is_debug || a->nvars != b->nvars ||
        a->nfuncs != b->nfuncs || a->nlocs != b->nlocs || a->nfiles != b->nfiles)
        return 0;
    for (uint32_t i = 0; i < a->nfiles; ++i)
        if (!same_name(a->file[i], b->file[i])) return 0;
    for (uint32_t i = 0; i < a->nvars; ++i)
        if (!same_var(&a->var[i], &b->var[i])) return 0;
    struct pair m = {a, b, alloc_zeroed((size_t)a->nlocs + 1, sizeof *m.twin)};
    int equal = 1;
    for (uint32_t i = 0; i < a->nfuncs && equal; ++i) equal = same_func(&m, &a->func[i], &b->func[i]);
    free(m.twin);
    return equal;
}
