// Finds the CAS seed loads of a kernel, i.e. the plain loads whose value a compare-and-swap instruction compares with
// memory.
//
// A program can build an atomic operation from atomicCAS() in a loop (CUDA C++ Programming Guide, "Atomic Functions").
// The load `old = *address` before an atomicCAS() loop is a CAS seed load, because atomicCAS() then compares `old` with
// memory.
//
//     old = *address;
//     do { assumed = old; old = atomicCAS(address, assumed, f(assumed)); } while (assumed != old);
//
// While other threads change the word, the load before an atomicCAS() loop may return any value that the word had. An
// old value only makes the atomicCAS() loop run one more iteration. A plain load before an atomicCAS() loop is
// therefore treated as a relaxed load: it races with plain stores, but not with atomics.
//
// Technique. The search for CAS seed loads, i.e. for plain loads whose value an atom.cas compares with memory, starts
// at the compared operand of each atom.cas. From the operand that an atom.cas compares with memory, the search for CAS
// seed loads follows copies backwards, whatever the order of the instructions. A value is copied by a move, by passing
// an argument, by returning a result, and through a variable that unoptimised code keeps in memory. The search for CAS
// seed loads identifies a variable in memory by the base register and the offset of its address. Every load from which
// a value reaches the compared operand of an atom.cas is a CAS seed load.
#include "sim/core/instruction.h"
#include "sim/lower/lowering.h"

// Identifies a variable that unoptimised code keeps in memory, by the base register and the offset of its address in
// one function.
struct location {
    uint32_t func, base;
    uint64_t offset;
};

// Holds the state of the search for the loads whose value an atom.cas compares with memory. A register or variable is
// marked if an atom.cas may compare its value with memory.
struct search {
    struct lower *l;
    const struct ptx_func *f;
    uint32_t func;
    uint8_t **reg; // [module->nfuncs][nregs]: marks of registers
    uint8_t *var;  // [module->nvars]: marks of variables that functions pass
    LOWER_LIST(struct location) location;
    int changed;
};

static void mark(struct search *t, uint8_t *place)
{
    t->changed |= !*place;
    *place = 1;
}

// Returns a pointer to the byte that is 1 if an atom.cas may compare the operand's value with memory, otherwise 0.
// Returns NULL if the operand is neither a register nor a named variable.
static uint8_t *mark_of(struct search *t, const struct ptx_operand *o)
{
    uint32_t kind = o->kind == PTX_OPERAND_ADDRESS ? o->base_kind : o->kind;
    if (kind == PTX_OPERAND_SYMBOL) return &t->var[o->index];
    return o->kind == PTX_OPERAND_REG ? &t->reg[t->func][o->index] : NULL;
}

static void mark_operand(struct search *t, const struct ptx_operand *o)
{
    for (uint32_t e = 0; o->kind == PTX_OPERAND_VECTOR && e < o->count; e++)
        mark_operand(t, &t->f->element[o->index + e]);
    if (mark_of(t, o)) mark(t, mark_of(t, o));
}

static int is_marked(struct search *t, const struct ptx_operand *o)
{
    for (uint32_t e = 0; o->kind == PTX_OPERAND_VECTOR && e < o->count; e++)
        if (is_marked(t, &t->f->element[o->index + e])) return 1;
    return mark_of(t, o) && *mark_of(t, o);
}

static int has_location(const struct search *t, const struct ptx_operand *o)
{
    for (uint32_t k = 0; k < t->location.count; k++) {
        const struct location *s = &t->location.at[k];
        if (s->func == t->func && s->base == o->index && s->offset == o->bits) return 1;
    }
    return 0;
}

static void follow_load(struct search *t, const struct ptx_inst *i)
{
    const struct ptx_operand *m = &i->operand[1];
    if (!is_marked(t, &i->operand[0])) return;
    if (i->space == PTX_PARAM) mark_operand(t, m);
    t->l->cas_seed[t->func][i - t->f->inst] = 1;
    if (i->space == PTX_PARAM || m->kind != PTX_OPERAND_ADDRESS || has_location(t, m)) return;
    *LOWER_PUSH(t->l, &t->location) = (struct location){t->func, m->index, m->bits};
    t->changed = 1;
}

static void follow_call(struct search *t, const struct ptx_inst *i)
{
    const struct ptx_operand *result = &i->operand[0], *argument = &i->operand[2];
    if (i->operand[1].kind != PTX_OPERAND_FUNC || i->noperands < 3) return;
    const struct ptx_func *f = &t->l->module->func[i->operand[1].index];
    for (uint32_t k = 0; k < f->nresults && k < result->count; k++)
        if (is_marked(t, &t->f->element[result->index + k])) mark(t, &t->var[f->result[k]]);
    for (uint32_t k = 0; k < f->nparams && k < argument->count; k++)
        if (t->var[f->param[k]]) mark_operand(t, &t->f->element[argument->index + k]);
}

static void follow(struct search *t, const struct ptx_inst *i)
{
    const struct ptx_operand *first = &i->operand[0];
    if (i->atom == PTX_ATOM_CAS)
        mark_operand(t, &i->operand[2]);
    else if (instruction_does(i, E_LOAD))
        follow_load(t, i);
    else if (instruction_does(i, E_STORE) && (i->space == PTX_PARAM ? is_marked(t, first) : has_location(t, first)))
        mark_operand(t, &i->operand[1]);
    else if (instruction_does(i, E_CALL))
        follow_call(t, i);
    else if (instruction_value(i) == VALUE_COPY && is_marked(t, first))
        mark_operand(t, &i->operand[1]);
}

void lower_cas_seeds(struct lower *l)
{
    struct search t = {.l = l, .changed = 1};
    t.reg = ARENA_ARRAY(l->arena, l->module->nfuncs, uint8_t *);
    t.var = ARENA_ARRAY(l->arena, l->module->nvars + 1, uint8_t);
    l->cas_seed = ARENA_ARRAY(l->arena, l->module->nfuncs, uint8_t *);
    for (uint32_t k = 0; k < l->norder; k++) {
        const struct ptx_func *f = &l->module->func[l->order[k]];
        t.reg[l->order[k]] = ARENA_ARRAY(l->arena, f->nregs + 1, uint8_t);
        l->cas_seed[l->order[k]] = ARENA_ARRAY(l->arena, f->ninsts + 1, uint8_t);
    }
    while (t.changed) { // each pass but the last sets a mark
        t.changed = 0;
        for (uint32_t k = 0; k < l->norder; k++) {
            t.func = l->order[k];
            t.f = &l->module->func[t.func];
            for (uint32_t i = t.f->ninsts; i-- > 0;) follow(&t, &t.f->inst[i]);
        }
    }
}
