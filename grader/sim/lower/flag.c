// Whether a kernel's lanes tell each other anything by flags in shared memory.
//
// Technique. Taint, without regard to order: what volatile loads of shared memory bring is followed from register to
// register, through predicates too. Where it decides what a lane executes (a guard, a branch table, a call), somebody
// may be waiting for it. So it may where it is lost from sight: in local memory, a parameter, at a generic address.
// Atomics in shared memory, and accesses with a named order, are made to tell something. A kernel that does none of
// this has nothing but data in what it reads volatile. That is a statement on optimised code: unoptimised code keeps
// every value in local memory.
#include "sim/lower/lower.h"
#include "sim/lower/sass.h"

struct taint {
    const struct ptx_func *f;
    uint8_t *reg; // [f->nregs]: 1: holds what was read
    int changed, flag;
};

static int may_be_shared(const struct ptx_inst *i)
{
    return i->space == PTX_SHARED || i->space == PTX_GENERIC;
}

static int holds(const struct taint *t, const struct ptx_operand *o)
{
    for (uint32_t e = 0; o->kind == PTX_OPERAND_VECTOR && e < o->count; e++)
        if (holds(t, &t->f->element[o->index + e])) return 1;
    int is_base = o->kind == PTX_OPERAND_ADDRESS && o->base_kind == PTX_OPERAND_REG;
    return (o->kind == PTX_OPERAND_REG || is_base) && t->reg[o->index];
}

static void spread(struct taint *t, const struct ptx_operand *o)
{
    for (uint32_t e = 0; o->kind == PTX_OPERAND_VECTOR && e < o->count; e++) spread(t, &t->f->element[o->index + e]);
    if (o->kind != PTX_OPERAND_REG || t->reg[o->index]) return;
    t->reg[o->index] = 1;
    t->changed = 1;
}

static void follow(struct taint *t, const struct ptx_inst *i)
{
    uint32_t dests = sass_dests(i);
    int strong = i->op == PTX_OP_atom || i->op == PTX_OP_red || i->sem > PTX_VOLATILE;
    int holding = i->op == PTX_OP_ld && i->sem == PTX_VOLATILE && may_be_shared(i);
    for (uint32_t o = dests; o < i->noperands; o++) holding |= holds(t, &i->operand[o]);
    if (strong && may_be_shared(i)) t->flag = 1;
    if (i->guard != PTX_NO_REG && t->reg[i->guard]) t->flag = 1;
    if (!holding) return;
    int ends = i->op == PTX_OP_st && (i->space == PTX_SHARED || i->space == PTX_GLOBAL);
    if ((i->op == PTX_OP_st && !ends) || i->op == PTX_OP_call || i->op == PTX_OP_brx) t->flag = 1;
    for (uint32_t o = 0; o < dests; o++) spread(t, &i->operand[o]);
}

static int has_flags(const struct lower *l, const struct ptx_func *f)
{
    struct taint t = {.f = f, .reg = ARENA_ARRAY(l->arena, f->nregs + 1, uint8_t), .changed = 1};
    while (t.changed && !t.flag) { // each round but the last marks a register
        t.changed = 0;
        for (uint32_t k = 0; k < f->ninsts && !t.flag; k++) follow(&t, &f->inst[k]);
    }
    return t.flag;
}

static int is_volatile(const struct ptx_func *f)
{
    for (uint32_t k = 0; k < f->ninsts; k++)
        if (f->inst[k].sem == PTX_VOLATILE && may_be_shared(&f->inst[k])) return 1;
    return 0;
}

void lower_flags(struct lower *l)
{
    for (uint32_t k = 0; k < l->norder; k++) l->data |= is_volatile(&l->module->func[l->order[k]]);
    for (uint32_t k = 0; k < l->norder && l->data; k++) l->data = !has_flags(l, &l->module->func[l->order[k]]);
}
