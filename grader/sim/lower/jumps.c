// Removes the jumps of PTX that ptxas removes.
//
// clang ends each basic block of PTX with a jump, also a basic block whose successor follows it directly in the PTX
// text. The code on the left shows such a jump to the next instruction. The code on the right shows a branch over a
// jump.
//
//   @!%p4 bra L2;                 @%p29 bra L2;
//   bra.uni   L1;                 bra.uni   L3;
//   L1: …                         L2: …
//
// nvcc writes neither a jump to the next instruction nor a branch over a jump, and ptxas generates no instruction for
// such jumps. jumps_tidy() deletes a jump to the next instruction. jumps_tidy() replaces a branch over a jump, such as
// `@%p29 bra L2; bra.uni L3; L2:`, by one branch with the opposite predicate, such as `@!%p29 bra L3; L2:`. After
// jumps_tidy(), clang's PTX has the form that later passes know from nvcc, such as `@p bra L; body; L:`
// (sass_convert.c).
#include "sim/lower/jumps.h"

#include "ptx/opcode.h"

struct tidying {
    struct ptx_func *f;
    uint8_t *entered; // [f->ninsts + 1]: 1: a branch or a table leads to the instruction
    uint8_t *deleted; // [f->ninsts]
    uint32_t *place;  // [f->ninsts + 1]: new index of the instruction, or of the next instruction that stays
};

static void note_entries(struct tidying *t)
{
    const struct ptx_func *f = t->f;
    for (uint32_t k = 0; k < f->ninsts; k++)
        if (f->inst[k].op == PTX_OP_bra) t->entered[f->inst[k].operand[0].index] = 1;
    for (uint32_t k = 0; k < f->ntables; k++)
        for (uint32_t e = 0; f->table[k].kind == PTX_BRANCH_TARGETS && e < f->table[k].ntargets; e++)
            t->entered[f->table[k].target[e]] = 1;
}

static int is_jump(const struct ptx_inst *i)
{
    return i->op == PTX_OP_bra && i->guard == PTX_NO_REG;
}

// Marks for deletion (t->deleted) each jump of the function that leads to the next instruction or that a branch skips.
// Inverts a branch over a jump, and gives the branch the jump's target. Returns the number of jumps marked for
// deletion.
static uint32_t mark(struct tidying *t)
{
    struct ptx_inst *inst = t->f->inst;
    uint32_t marked = 0;
    for (uint32_t k = 0; k + 1 < t->f->ninsts; k++) {
        struct ptx_inst *branch = k ? &inst[k - 1] : NULL;
        int over = branch && branch->op == PTX_OP_bra && branch->guard != PTX_NO_REG &&
                   branch->operand[0].index == k + 1 && !t->entered[k];
        if (!is_jump(&inst[k])) continue;
        if (over) {
            branch->guard_negated ^= 1;
            branch->operand[0].index = inst[k].operand[0].index;
        }
        t->deleted[k] = over || inst[k].operand[0].index == k + 1;
        marked += t->deleted[k];
    }
    return marked;
}

// Deletes the function's jumps that are marked in t->deleted, and updates all indices of instructions.
static void delete_marked(struct tidying *t)
{
    struct ptx_func *f = t->f;
    uint32_t n = 0;
    for (uint32_t k = 0; k < f->ninsts; k++) {
        t->place[k] = n;
        if (!t->deleted[k]) f->inst[n++] = f->inst[k];
    }
    t->place[f->ninsts] = n;
    f->ninsts = n;
    for (uint32_t k = 0; k < n; k++)
        if (f->inst[k].op == PTX_OP_bra) f->inst[k].operand[0].index = t->place[f->inst[k].operand[0].index];
    for (uint32_t k = 0; k < f->ntables; k++)
        for (uint32_t e = 0; f->table[k].kind == PTX_BRANCH_TARGETS && e < f->table[k].ntargets; e++)
            f->table[k].target[e] = t->place[f->table[k].target[e]];
    for (uint32_t k = 0; k < f->nlabels; k++) f->label_inst[k] = t->place[f->label_inst[k]];
}

void jumps_tidy(struct ptx_module *m)
{
    for (uint32_t k = 0; k < m->nfuncs && !m->is_debug; k++) {
        struct tidying t = {.f = &m->func[k]};
        uint32_t n = t.f->ninsts;
        if (!n) continue;
        t.entered = ARENA_ARRAY(&m->arena, n + 1, uint8_t);
        t.deleted = ARENA_ARRAY(&m->arena, n + 1, uint8_t);
        t.place = ARENA_ARRAY(&m->arena, n + 1, uint32_t);
        note_entries(&t);
        if (mark(&t)) delete_marked(&t);
    }
}
