// Removes jumps to the next instruction of the PTX text.
//
// The compiler clang ends each basic block with a jump, even if the jump leads to the next instruction of the text:
//
//   @!%p4 bra L2;
//   bra.uni   L1;
//   L1: …
//
// The compiler nvcc writes no jump to the next instruction, and ptxas generates no instruction for such a jump. Without
// the jump to the next instruction, the code has the form that other passes over PTX know from nvcc, such as `@p bra L;
// body; L:` (if_convert.c). A jump to the next instruction stays if other branches also lead to that instruction,
// because the jump may close a loop, and lower/rank.c may move the basic blocks of a loop.
#include "sim/sass/jumps.h"

#include "ptx/ptx.h"

struct tidying {
    struct ptx_func *f;
    uint32_t *entered; // [f->ninsts + 1]: number of branches and table entries that lead to the instruction
    uint8_t *deleted;  // [f->ninsts]
    uint32_t *place;   // [f->ninsts + 1]: new index of the instruction, or of the next instruction that stays
};

void jumps_count(const struct ptx_func *f, uint32_t *entered)
{
    for (uint32_t k = 0; k < f->ninsts; k++)
        if (ptx_is_branch(&f->inst[k])) entered[f->inst[k].operand[0].index]++;
    for (uint32_t k = 0; k < f->ntables; k++)
        for (uint32_t e = 0; f->table[k].kind == PTX_BRANCH_TARGETS && e < f->table[k].ntargets; e++)
            entered[f->table[k].target[e]]++;
}

void jumps_renumber(struct ptx_func *f, const uint32_t *place)
{
    for (uint32_t k = 0; k < f->ntables; k++)
        for (uint32_t e = 0; f->table[k].kind == PTX_BRANCH_TARGETS && e < f->table[k].ntargets; e++)
            f->table[k].target[e] = place[f->table[k].target[e]];
    for (uint32_t k = 0; k < f->nlabels; k++) f->label_inst[k] = place[f->label_inst[k]];
}

// Marks the jumps of the function that jumps_tidy() removes. Returns the number of marked jumps.
static uint32_t mark(struct tidying *t)
{
    const struct ptx_inst *inst = t->f->inst;
    uint32_t marked = 0;
    for (uint32_t k = 0; k + 1 < t->f->ninsts; k++) {
        int jumps = ptx_is_branch(&inst[k]) && inst[k].guard == PTX_NO_REG;
        t->deleted[k] = jumps && inst[k].operand[0].index == k + 1 && t->entered[k + 1] == 1;
        marked += t->deleted[k];
    }
    return marked;
}

// Deletes the marked jumps, and updates all indices of instructions in the function.
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
        if (ptx_is_branch(&f->inst[k])) f->inst[k].operand[0].index = t->place[f->inst[k].operand[0].index];
    jumps_renumber(f, t->place);
}

void jumps_tidy(struct ptx_module *m)
{
    for (uint32_t k = 0; k < m->nfuncs && !m->is_debug; k++) {
        struct tidying t = {.f = &m->func[k]};
        uint32_t n = t.f->ninsts;
        if (!n) continue;
        t.entered = ARENA_ARRAY(&m->arena, n + 1, uint32_t);
        t.deleted = ARENA_ARRAY(&m->arena, n + 1, uint8_t);
        t.place = ARENA_ARRAY(&m->arena, n + 1, uint32_t);
        jumps_count(t.f, t.entered);
        if (mark(&t)) delete_marked(&t);
    }
}
