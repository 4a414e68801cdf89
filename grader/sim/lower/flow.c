// Analyses the control flow and data flow of one function. The analysis finds the basic blocks and their order, the
// live registers, and the registers that hold an address derived from a variable. Liveness tells which registers may be
// read before they are written.
#include <string.h>

#include "sim/core/instruction.h"
#include "sim/lower/lowering.h"
#include "sim/lower/rank.h"

static int ends_block(const struct ptx_inst *i)
{
    return instruction_does(i, E_JUMP | E_CALL | E_END);
}

// Returns 1 if control may fall through from the instruction to the next instruction.
static int falls_through(const struct ptx_inst *i)
{
    return i->guard != PTX_NO_REG || !instruction_does(i, E_JUMP | E_END);
}

static const struct ptx_table *table_of(const struct lower *l, const struct ptx_inst *i)
{
    return instruction_does(i, E_JUMP) && !ptx_is_branch(i) ? &l->f->table[i->operand[1].index] : NULL;
}

void lower_blocks(struct lower *l)
{
    const struct ptx_func *f = l->f;
    uint32_t n = f->ninsts, edges = 0;
    uint8_t *leader = ARENA_ARRAY(l->arena, n + 1, uint8_t);
    uint32_t *block_of = ARENA_ARRAY(l->arena, n + 1, uint32_t);
    leader[0] = 1;
    for (uint32_t k = 0; k < n; k++) {
        const struct ptx_inst *i = &f->inst[k];
        const struct ptx_table *t = table_of(l, i);
        if (ptx_is_branch(i)) leader[i->operand[0].index] = 1;
        for (uint32_t e = 0; t && e < t->ntargets; e++) leader[t->target[e]] = 1;
        if (ends_block(i)) leader[k + 1] = 1;
        edges += 2 + (t ? t->ntargets : 0);
    }
    l->nblocks = 0;
    for (uint32_t k = 0; k < n; k++) l->nblocks += leader[k];
    l->block = ARENA_ARRAY(l->arena, l->nblocks, struct lower_block);
    uint32_t b = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (leader[k]) l->block[b++].inst = k;
        block_of[k] = b - 1;
        l->block[b - 1].ninsts++;
    }
    l->first_succ = ARENA_ARRAY(l->arena, l->nblocks + 1, uint32_t);
    l->succ = ARENA_ARRAY(l->arena, edges + 1, uint32_t);
    uint32_t nsucc = 0;
    for (b = 0; b < l->nblocks; b++) {
        uint32_t last = l->block[b].inst + l->block[b].ninsts - 1;
        const struct ptx_inst *i = &f->inst[last];
        const struct ptx_table *t = table_of(l, i);
        l->first_succ[b] = nsucc;
        if (ptx_is_branch(i)) l->succ[nsucc++] = block_of[i->operand[0].index];
        for (uint32_t e = 0; t && e < t->ntargets; e++) l->succ[nsucc++] = block_of[t->target[e]];
        if (falls_through(i) && last + 1 < n) l->succ[nsucc++] = block_of[last + 1];
    }
    l->first_succ[l->nblocks] = nsucc;
    l->layout = ARENA_ARRAY(l->arena, l->nblocks, uint32_t);
    struct rank_graph graph = {l->nblocks, l->first_succ, l->succ};
    l->nlayout = rank_blocks(&graph, l->layout, l->arena);
    for (b = 0; b < l->nlayout; b++) l->block[l->layout[b]].reached = 1;
}

// ---------------------------------------------------------------- addresses

// Returns the index in module->var of the variable that an operand points to. Returns -1 if the operand points to no
// variable, or -2 if the analysis does not know the variable yet.
static int32_t symbol_of(const struct lower *l, const struct ptx_operand *o)
{
    if (o->kind == PTX_OPERAND_SYMBOL) return (int32_t)o->index;
    if (o->kind == PTX_OPERAND_REG) return l->symbol[o->index];
    return -1;
}

// Returns the index in module->var of the variable whose address the instruction's result derives from. Returns -1 if
// the result derives from no variable's address, or -2 if the analysis does not know the variable yet.
static int32_t derived_symbol(const struct lower *l, const struct ptx_inst *i)
{
    int first = 1, last;
    switch (instruction_value(i)) {
    case VALUE_COPY:
        last = 1;
        break;
    case VALUE_SUM:
    case VALUE_DIFFERENCE:
        last = 2;
        break;
    case VALUE_PRODUCT_SUM:
        first = last = 3;
        break;
    default:
        return -1;
    }
    int32_t found = -1;
    for (int k = first; k <= last; k++) {
        int32_t s = symbol_of(l, &i->operand[k]);
        if (s == -2) return -2;
        if (s >= 0 && found >= 0) return -1;
        if (s >= 0) found = s;
    }
    return found;
}

// ---------------------------------------------------------------- variables of the source

// Returns the index in v->part of the source variable that contains byte `offset` of `v`. `v` is a .local variable that
// holds a function's stack frame, and v->part lists the source variables in this stack frame. Returns LOWER_NONE if no
// source variable contains the byte.
static int32_t part_at(const struct ptx_var *v, uint64_t offset)
{
    uint32_t low = 0, high = v->nparts;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (v->part[middle].to <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low < v->nparts && v->part[low].from <= offset ? (int32_t)low : LOWER_NONE;
}

static int32_t part_of(const struct lower *l, const struct ptx_operand *o)
{
    if (o->kind == PTX_OPERAND_REG) return l->part[o->index];
    return o->kind == PTX_OPERAND_SYMBOL && !o->bits && l->module->var[o->index].nparts ? LOWER_FRAME : LOWER_NONE;
}

// Returns the index in v->part of the source variable whose address the instruction's result derives from. `v` is the
// .local variable with the index derived_symbol(), and v->part lists the variables of the CUDA source inside `v`.
// Returns a value of enum lower_part if the result derives from the address of no known source variable.
static int32_t derived_part(const struct lower *l, const struct ptx_inst *i)
{
    const struct ptx_operand *o = i->operand;
    int32_t a, b;
    uint32_t value = instruction_value(i);
    switch (value) {
    case VALUE_COPY:
        return part_of(l, &o[1]);
    case VALUE_SUM:
    case VALUE_DIFFERENCE:
        a = part_of(l, &o[1]);
        b = part_of(l, &o[2]);
        if (a == LOWER_UNSEEN || b == LOWER_UNSEEN) return LOWER_UNSEEN;
        if (a == LOWER_FRAME && value == VALUE_SUM && o[2].kind == PTX_OPERAND_IMM) {
            int32_t symbol = symbol_of(l, &o[1]);
            return symbol >= 0 ? part_at(&l->module->var[symbol], o[2].bits) : symbol;
        }
        if (a >= 0 && b == LOWER_NONE) return a;
        return b >= 0 && a == LOWER_NONE && value == VALUE_SUM ? b : LOWER_NONE;
    case VALUE_PRODUCT_SUM:
        a = part_of(l, &o[3]);
        return a == LOWER_FRAME ? LOWER_NONE : a;
    default:
        return LOWER_NONE;
    }
}

static void mark_read(struct lower *l, const struct ptx_operand *o)
{
    if (o->kind == PTX_OPERAND_REG || (o->kind == PTX_OPERAND_ADDRESS && o->base_kind == PTX_OPERAND_REG))
        l->read[o->index] = 1;
    for (uint32_t e = 0; o->kind == PTX_OPERAND_VECTOR && e < o->count; e++) mark_read(l, &l->f->element[o->index + e]);
}

// Finds the registers that hold one address for the whole grid: pointers passed to the kernel and addresses of
// variables.
static void find_uniform(struct lower *l)
{
    const struct ptx_func *f = l->f;
    enum { UNSEEN, UNIFORM, VARYING };
    l->uniform = ARENA_ARRAY(l->arena, f->nregs + 1, uint8_t);
    for (uint32_t k = 0; k < f->ninsts; k++) {
        const struct ptx_inst *i = &f->inst[k];
        const struct ptx_operand *d = &i->operand[0], *s = &i->operand[1];
        if (!i->noperands || d->kind != PTX_OPERAND_REG) continue;
        int copy = instruction_value(i) == VALUE_COPY && i->noperands == 2;
        int uniform = instruction_loads_parameter(f, i) || (copy && s->kind == PTX_OPERAND_SYMBOL) ||
                      (copy && s->kind == PTX_OPERAND_REG && l->uniform[s->index] == UNIFORM);
        l->uniform[d->index] = uniform && l->uniform[d->index] == UNSEEN ? UNIFORM : VARYING;
    }
    for (uint32_t r = 0; r < f->nregs; r++) l->uniform[r] = l->uniform[r] == UNIFORM;
}

// Updates *at, the index of the variable to which a register points, with `s`, the index that one instruction gives. An
// index of -2 means that the variable is not known yet, and -1 means that the register points to no single known
// variable. If *at is -2, *at becomes `s`. If *at and `s` are two different variables, *at becomes -1. Returns 1 if *at
// changed.
static int sink(int32_t *at, int32_t s)
{
    if (s == -2 || s == *at || *at == -1) return 0;
    *at = *at == -2 ? s : -1;
    return 1;
}

// Repeats passes over the function's instructions until the arrays l->symbol and l->part no longer change. The arrays
// l->symbol and l->part hold, for each register, the index of the variable to which the register points. Each element
// of l->symbol and l->part starts as -2 (variable not known yet). An element of l->symbol or l->part changes at most
// twice: from -2 to the index of a variable, and then to -1 (no single variable). Usually, two or three passes over the
// function are enough.
void lower_symbols(struct lower *l)
{
    const struct ptx_func *f = l->f;
    find_uniform(l);
    l->symbol = ARENA_ARRAY(l->arena, f->nregs + 1, int32_t);
    l->read = ARENA_ARRAY(l->arena, f->nregs + 1, uint8_t);
    l->part = ARENA_ARRAY(l->arena, f->nregs + 1, int32_t);
    for (uint32_t r = 0; r < f->nregs; r++) l->symbol[r] = l->part[r] = -2;
    for (uint32_t k = 0; k < f->ninsts; k++) {
        const struct ptx_inst *i = &f->inst[k];
        uint32_t destinations = ptx_destinations(i);
        if (i->guard != PTX_NO_REG) l->read[i->guard] = 1;
        for (uint32_t o = 0; o < i->noperands; o++)
            if (o || !destinations) mark_read(l, &i->operand[o]);
    }
    int changed = 1;
    for (int round = 0; changed && round < 16; round++) {
        changed = 0;
        for (uint32_t k = 0; k < f->ninsts; k++) {
            const struct ptx_inst *i = &f->inst[k];
            const struct ptx_operand *d = &i->operand[0];
            if (!i->noperands) continue;
            for (uint32_t e = 0; d->kind == PTX_OPERAND_VECTOR && e < d->count; e++)
                if (f->element[d->index + e].kind == PTX_OPERAND_REG)
                    l->symbol[f->element[d->index + e].index] = l->part[f->element[d->index + e].index] = -1;
            if (d->kind != PTX_OPERAND_REG || !ptx_destinations(i)) continue;
            changed |= sink(&l->symbol[d->index], derived_symbol(l, i));
            changed |= sink(&l->part[d->index], derived_part(l, i));
        }
    }
    for (uint32_t r = 0; changed && r < f->nregs; r++)
        l->symbol[r] = l->part[r] = -1; // no fixed point after 16 passes: nothing is known
}

// ---------------------------------------------------------------- liveness

enum { LIVENESS_WORDS_MAX = 1 << 23 };

struct live {
    struct lower *l;
    uint32_t words, first; // 64-bit words of a set; id of the function's first register
    uint64_t *in;          // [nblocks][words]: live at the block's start
};

// Sets *at to the index of a register in the sets of live registers. Returns 1, or 0 for a register that does not
// belong to the function, i.e. a temporary or a constant.
static int live_index(const struct live *v, uint32_t reg, uint32_t *at)
{
    *at = reg - v->first;
    return reg >= v->first && *at < v->words * 64;
}

// Walks a basic block backwards, and changes `set` from the registers live at the block's end to the registers live at
// the block's start.
static void live_block(const struct live *v, const struct lower_block *b, uint64_t *set)
{
    struct lower *l = v->l;
    uint32_t at;
    for (uint32_t k = b->nops; k-- > 0;) {
        const struct sim_op *op = &l->op.at[b->op + k];
        const uint32_t *use = &l->use.at[op->regs];
        int guarded = op->guard != 0;
        for (uint32_t d = 0; d < op->ndests && !guarded; d++)
            if (live_index(v, use[1 + op->nsources + d], &at)) set[at / 64] &= ~(1ull << at % 64);
        for (uint32_t s = 0; s < 1u + op->nsources; s++)
            if (live_index(v, use[s], &at)) set[at / 64] |= 1ull << at % 64;
    }
}

// Stores the registers that are live at the function's start in the function's plan: their ids in p->unwritten, and
// their places in the register file in p->stale. If `live` is NULL, liveness is unknown, and p->stale gets all
// registers of the function except its parameters.
static void note_unwritten(struct lower *l, const uint64_t *live)
{
    struct plan_func *p = l->plan;
    p->unwritten = ARENA_ARRAY(l->arena, p->nregs, uint32_t);
    p->stale = ARENA_ARRAY(l->arena, p->nspans, struct plan_span);
    for (uint32_t k = 0; k < p->nspans; k++) {
        const struct plan_span *s = &l->span.at[p->first_span + k];
        uint32_t first = s->reg - p->first_reg, before = p->nunwritten;
        uint32_t end = k + 1 < p->nspans ? s[1].reg - p->first_reg : p->nregs;
        int is_param = s->reg - p->param_reg < 4 * p->param_words; // the caller writes these
        for (uint32_t r = first; r < end && live && !is_param; r++)
            if (live[r / 64] >> r % 64 & 1) p->unwritten[p->nunwritten++] = p->first_reg + r;
        if (!is_param && (!live || p->nunwritten > before)) p->stale[p->nstale++] = *s;
    }
}

void lower_liveness(struct lower *l)
{
    struct live v = {.l = l, .first = l->plan->first_reg, .words = (l->plan->nregs + 63) / 64};
    if (!v.words || !l->nlayout) return;
    if ((uint64_t)v.words * l->nblocks > LIVENESS_WORDS_MAX) {
        note_unwritten(l, NULL);
        return;
    }
    v.in = ARENA_ARRAY(l->arena, (size_t)v.words * l->nblocks, uint64_t);
    uint64_t *set = ARENA_ARRAY(l->arena, v.words, uint64_t);
    int changed = 1;
    for (int round = 0; changed && round < 1000; round++) {
        changed = 0;
        for (uint32_t k = l->nlayout; k-- > 0;) {
            uint32_t b = l->layout[k];
            memset(set, 0, v.words * sizeof *set);
            for (uint32_t e = l->first_succ[b]; e < l->first_succ[b + 1]; e++)
                for (uint32_t w = 0; w < v.words; w++) set[w] |= v.in[(size_t)l->succ[e] * v.words + w];
            live_block(&v, &l->block[b], set);
            uint64_t *in = &v.in[(size_t)b * v.words];
            if (!memcmp(in, set, v.words * sizeof *set)) continue;
            memcpy(in, set, v.words * sizeof *set);
            changed = 1;
        }
    }
    note_unwritten(l, v.in);
}
