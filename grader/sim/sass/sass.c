// Applies the results of the SASS model's passes (see sass.h) to the ops of a function.
#include "sim/sass/sass.h"

// Returns an array that holds, for each PTX instruction of the current function, the index of the first op that counts
// as the instruction. Hidden ops, i.e. auxiliary ops that do not count as instructions, are skipped. The ops of the
// current function have the numbers `first` to l->op.count - 1.
static uint32_t *first_ops(struct lower *l, uint32_t first)
{
    uint32_t *op = ARENA_ARRAY(l->arena, l->f->ninsts + 1, uint32_t);
    for (uint32_t k = l->op.count; k-- > first;)
        if (!l->op.at[k].hidden) op[l->info.at[k].inst] = k;
    return op;
}

static void apply(struct sass *s)
{
    struct lower *l = s->l;
    uint32_t first = l->plan->entry;
    const uint32_t *op_of = first_ops(l, first);
    for (uint32_t k = first; k < l->op.count; k++) {
        struct sim_op *op = &l->op.at[k];
        struct sim_op_info *info = &l->info.at[k];
        const struct sass_inst *mark = &s->inst[info->inst];
        const struct ptx_inst *i = &l->f->inst[info->inst];
        info->counted_by = k;
        if (op->hidden) continue;
        info->slots = mark->slots;
        if (mark->product && info->pipe == PIPE_INT) info->pipe = PIPE_MUL;
        if (mark->counted_by != info->inst) info->counted_by = op_of[mark->counted_by];
        if (i->space != PTX_SHARED || !instruction_does(i, E_LOAD | E_STORE)) continue;
        struct sim_access *a = &l->access.at[op->side].access;
        a->counted = 1;
        a->merged = mark->merged;
        uint8_t use = instruction_does(i, E_LOAD) ? SHARED_LOAD : SHARED_STORE;
        info->shared = mark->merged == SIM_MERGED_AWAY ? SHARED_NONE : use;
    }
}

void sass_mark(struct lower *l, struct sass_need *need)
{
    uint32_t nregs = l->f->nregs + 1;
    struct sass s = {.l = l, .f = l->f};
    s.inst = ARENA_ARRAY(l->arena, l->f->ninsts, struct sass_inst);
    s.defs = ARENA_ARRAY(l->arena, nregs, uint32_t);
    s.uses = ARENA_ARRAY(l->arena, nregs, uint32_t);
    s.def = ARENA_ARRAY(l->arena, nregs, uint32_t);
    s.user = ARENA_ARRAY(l->arena, nregs, uint32_t);
    s.zeros = ARENA_ARRAY(l->arena, nregs, uint8_t);
    s.varying = ARENA_ARRAY(l->arena, nregs, uint8_t);
    for (uint32_t k = 0; k < l->f->ninsts; k++) s.inst[k] = (struct sass_inst){.slots = 1, .counted_by = k};
    sass_values(&s);
    sass_merge(&s);
    sass_slots(&s);
    sass_convert(&s);
    apply(&s);
    struct sass_need own = sass_registers(&s);
    if (own.likely > need->likely) need->likely = own.likely;
    if (own.least > need->least) need->least = own.least;
}
