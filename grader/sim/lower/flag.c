// Decides whether a kernel's threads signal each other through flags: words in shared or in global memory on which
// other threads wait. Each of the two memories is looked at by itself.
//
// Technique. A taint analysis, which ignores the order of instructions. A register is tainted if it depends on a
// volatile load of the memory. Taint passes through registers, predicates and variables in the function's stack frame,
// where unoptimised code keeps its values. The taint of a variable in the stack frame is tracked byte by byte if an
// access has a constant offset. If the bytes that an access touches in a stack-frame variable depend on an index, the
// analysis keeps one taint for the whole variable.
//
// A kernel counts as using flags if a value from a volatile load of the memory decides what a thread executes, since
// the thread may be waiting for another. A value decides what a thread executes if an instruction's guard, a branch
// table index or a call target depends on it.
//
// Threads are also assumed to wait for each other where the analysis can no longer follow such a value: it is passed as
// a parameter, stored at an unknown address of the stack frame, or the kernel stores an address of the stack frame; and
// in a kernel with atomics in the memory, or with accesses of it that have a memory order such as .acquire. If no rule
// of this file says that threads wait, the kernel's volatile loads of the memory read only data, never signals.
//
// Unoptimised code uses only generic addresses, which may lie in either memory. An unoptimised kernel that has atomics
// in global memory, or polls words there, is therefore treated as if its threads waited for each other through shared
// memory, too.
#include <string.h>

#include "ptx/opcode.h"
#include "ptx/ptx.h"
#include "sim/lower/lowering.h"

struct taint {
    struct lower *l;
    const struct ptx_func *f;
    uint32_t space;     // PTX_SHARED or PTX_GLOBAL
    uint8_t *reg;       // [f->nregs]: 1: tainted
    uint8_t *untracked; // [f->nregs]: 1: may hold an address of the frame whose variable is not known
    uint8_t **local;    // [module->nvars]: 1: a tainted byte of a .local variable; NULL: no byte is tainted
    int changed, flag;
};

// Returns 1 if the instruction's address may lie in the memory `space`.
static int may_be_in(uint32_t space, const struct ptx_inst *i)
{
    return i->space == space || i->space == PTX_GENERIC;
}

static int is_tainted(const struct taint *t, const struct ptx_operand *o)
{
    for (uint32_t e = 0; o->kind == PTX_OPERAND_VECTOR && e < o->count; e++)
        if (is_tainted(t, &t->f->element[o->index + e])) return 1;
    int is_base = o->kind == PTX_OPERAND_ADDRESS && o->base_kind == PTX_OPERAND_REG;
    return (o->kind == PTX_OPERAND_REG || is_base) && t->reg[o->index];
}

// Marks the registers of an operand as tainted.
static void mark(struct taint *t, const struct ptx_operand *o)
{
    for (uint32_t e = 0; o->kind == PTX_OPERAND_VECTOR && e < o->count; e++) mark(t, &t->f->element[o->index + e]);
    if (o->kind != PTX_OPERAND_REG || t->reg[o->index]) return;
    t->reg[o->index] = 1;
    t->changed = 1;
}

// ---------------------------------------------------------------- the frame

static int is_local(const struct taint *t, int64_t symbol)
{
    return symbol >= 0 && t->l->module->var[symbol].space == PTX_LOCAL;
}

// Returns the index of the .local variable that an operand points to, or -1 if the operand points to no known .local
// variable.
static int64_t local_of(const struct taint *t, const struct ptx_operand *o)
{
    uint32_t kind = o->kind == PTX_OPERAND_ADDRESS ? o->base_kind : o->kind;
    int64_t symbol = -1;
    if (kind == PTX_OPERAND_REG) symbol = t->l->symbol[o->index];
    if (kind == PTX_OPERAND_SYMBOL) symbol = o->index;
    return is_local(t, symbol) ? symbol : -1;
}

static int is_untracked(const struct taint *t, const struct ptx_operand *o)
{
    uint32_t kind = o->kind == PTX_OPERAND_ADDRESS ? o->base_kind : o->kind;
    return kind == PTX_OPERAND_REG && t->untracked[o->index];
}

// Finds the registers that may hold an address in the stack frame although the symbol analysis (flow.c) does not know
// which variable they point to.
static void find_untracked(struct taint *t)
{
    for (int changed = 1; changed;) {
        changed = 0;
        for (uint32_t k = 0; k < t->f->ninsts; k++) {
            const struct ptx_inst *i = &t->f->inst[k];
            const struct ptx_operand *d = &i->operand[0];
            if (!i->noperands || d->kind != PTX_OPERAND_REG || i->op == PTX_OP_ld || i->op == PTX_OP_st) continue;
            if (t->untracked[d->index] || local_of(t, d) >= 0) continue;
            for (uint32_t o = ptx_destinations(i); o < i->noperands; o++)
                t->untracked[d->index] |= local_of(t, &i->operand[o]) >= 0 || is_untracked(t, &i->operand[o]);
            changed |= t->untracked[d->index];
        }
    }
}

// Sets [*from, *to) to the bytes of the variable `symbol` that an access may touch. Returns 1 if the bytes [*from, *to)
// lie inside the variable and are not empty, otherwise 0.
static int local_bytes(const struct taint *t, const struct ptx_inst *i, const struct ptx_operand *m, int64_t symbol,
                       uint64_t *from, uint64_t *to)
{
    const struct ptx_var *v = &t->l->module->var[symbol];
    uint32_t kind = m->kind == PTX_OPERAND_ADDRESS ? m->base_kind : m->kind;
    int32_t part = kind == PTX_OPERAND_SYMBOL ? LOWER_FRAME : t->l->part[m->index];
    *from = part >= 0 ? v->part[part].from : 0;
    *to = part >= 0 ? v->part[part].to : v->bytes;
    if (part == LOWER_FRAME) {
        *from = m->bits;
        *to = m->bits + ptx_type_bytes((enum ptx_type)i->type[0]) * (i->vec ? i->vec : 1u);
    }
    return *from < *to && *to <= v->bytes;
}

static void mark_local(struct taint *t, const struct ptx_inst *i, int64_t symbol)
{
    uint64_t from, to;
    if (!local_bytes(t, i, &i->operand[0], symbol, &from, &to)) return;
    uint8_t **at = &t->local[symbol];
    if (!*at) *at = ARENA_ARRAY(t->l->arena, t->l->module->var[symbol].bytes, uint8_t);
    if (memchr(*at + from, 0, to - from)) t->changed = 1;
    memset(*at + from, 1, to - from);
}

static int local_is_tainted(const struct taint *t, const struct ptx_inst *i, int64_t symbol)
{
    uint64_t from, to;
    if (!t->local[symbol] || !local_bytes(t, i, &i->operand[1], symbol, &from, &to)) return 0;
    return memchr(t->local[symbol] + from, 1, to - from) != NULL;
}

// ---------------------------------------------------------------- a function

static void follow_store(struct taint *t, const struct ptx_inst *i, int tainted)
{
    int64_t symbol = local_of(t, &i->operand[0]);
    const struct ptx_operand *value = &i->operand[1];
    uint32_t count = value->kind == PTX_OPERAND_VECTOR ? value->count : 1;
    for (uint32_t e = 0; e < count; e++) {
        const struct ptx_operand *o = value->kind == PTX_OPERAND_VECTOR ? &t->f->element[value->index + e] : value;
        if (local_of(t, o) >= 0 || is_untracked(t, o)) t->flag = 1;
    }
    if (!tainted) return;
    int ends = may_be_in(PTX_SHARED, i) || may_be_in(PTX_GLOBAL, i);
    if (symbol >= 0)
        mark_local(t, i, symbol);
    else if (!ends || is_untracked(t, &i->operand[0]))
        t->flag = 1;
}

// Passes taint from an instruction's source operands to its destination operands. Sets t->flag if the instruction shows
// that threads of the kernel signal each other through a word in the memory.
static void follow(struct taint *t, const struct ptx_inst *i)
{
    uint32_t dests = ptx_destinations(i);
    int is_load = i->op == PTX_OP_ld, at = is_load ? 1 : 0;
    int64_t symbol = (is_load || i->op == PTX_OP_st) && i->noperands ? local_of(t, &i->operand[at]) : -1;
    int strong = i->op == PTX_OP_atom || i->op == PTX_OP_red || i->sem > PTX_VOLATILE, tainted = 0;
    if (is_load && symbol >= 0) tainted = local_is_tainted(t, i, symbol);
    if (is_load && symbol < 0)
        tainted = is_untracked(t, &i->operand[1]) || (i->sem == PTX_VOLATILE && may_be_in(t->space, i));
    for (uint32_t o = dests; o < i->noperands; o++) tainted |= is_tainted(t, &i->operand[o]);
    if (strong && may_be_in(t->space, i) && symbol < 0) t->flag = 1;
    if (i->guard != PTX_NO_REG && t->reg[i->guard]) t->flag = 1;
    if (i->op == PTX_OP_st) {
        follow_store(t, i, tainted);
        return;
    }
    if (!tainted) return;
    if (i->op == PTX_OP_call || i->op == PTX_OP_brx) t->flag = 1;
    for (uint32_t o = 0; o < dests; o++) mark(t, &i->operand[o]);
}

static int has_flags(struct lower *l, const struct ptx_func *f, uint32_t space)
{
    struct taint t = {.l = l,
                      .f = f,
                      .space = space,
                      .reg = ARENA_ARRAY(l->arena, f->nregs + 1, uint8_t),
                      .untracked = ARENA_ARRAY(l->arena, f->nregs + 1, uint8_t),
                      .local = ARENA_ARRAY(l->arena, l->module->nvars + 1, uint8_t *),
                      .changed = 1};
    l->f = f;
    lower_symbols(l);
    find_untracked(&t);
    while (t.changed && !t.flag) { // each pass but the last taints something
        t.changed = 0;
        for (uint32_t k = 0; k < f->ninsts && !t.flag; k++) follow(&t, &f->inst[k]);
    }
    return t.flag;
}

static int is_volatile(const struct ptx_func *f, uint32_t space)
{
    for (uint32_t k = 0; k < f->ninsts; k++)
        if (f->inst[k].sem == PTX_VOLATILE && may_be_in(space, &f->inst[k])) return 1;
    return 0;
}

static int carries_data(struct lower *l, uint32_t space)
{
    int data = 0;
    for (uint32_t k = 0; k < l->norder; k++) data |= is_volatile(&l->module->func[l->order[k]], space);
    for (uint32_t k = 0; k < l->norder && data; k++) data = !has_flags(l, &l->module->func[l->order[k]], space);
    return data;
}

void lower_flags(struct lower *l)
{
    if (carries_data(l, PTX_SHARED)) l->data |= 1u << SPACE_SHARED;
    if (carries_data(l, PTX_GLOBAL)) l->data |= 1u << SPACE_GLOBAL;
}
