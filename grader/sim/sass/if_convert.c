// Models the if-conversion of ptxas, which replaces a short branch by predicates on the instructions that the branch
// skips.
//
// The rules for if-conversion come from experiments with ptxas on programs with one `if`, of every length and kind,
// with and without a barrier after the `if`. The body of an `if` is the code that the branch skips.
//
//   - ptxas converts `@p bra L; body; L:` if the body has at most 8 SASS instructions. The branch disappears, and each
//     instruction of the body carries the predicate. A warp in which no lane takes the body of the `if` also executes
//     the predicated instructions of the body, with all lanes off. Predicated instructions with all lanes off count as
//     executed instructions, but access no memory.
//   - If the body of an `if` loads from global memory and no barrier comes before the body, ptxas converts bodies of up
//     to 20 instructions. ptxas does not convert a body that both loads from and stores to global memory. ptxas also
//     does not convert a body that loads from global memory if the body is in no loop and no barrier follows. If ptxas
//     keeps the branch around the body of an `if`, a warp that skips the body continues without waiting for the body's
//     loads.
//   - The body of an `if` is never converted if it contains atomics, barriers, fences, shuffles, votes, calls or
//     branches.
//   - A branch to the kernel's end becomes a predicated EXIT, and the code that the branch skips stays unchanged.
#include "sim/sass/sass.h"

enum {
    SHORT = 8,
    SHORT_WITH_LOAD = 20,
    FIXED = E_ATOMIC | E_ORDER | E_BARRIER | E_CONVERGE | E_EXCHANGE | E_JUMP | E_CALL | E_END
};

struct body {
    uint32_t slots;
    int loads, stores, fixed; // of global memory; fixed: 1: has an instruction that prevents the conversion
};

static struct body body_of(const struct sass *s, const struct lower_block *b)
{
    struct body body = {0};
    for (uint32_t k = b->inst; k < b->inst + b->ninsts; k++) {
        const struct ptx_inst *i = &s->f->inst[k];
        body.slots += s->inst[k].slots;
        body.loads |= instruction_does(i, E_LOAD) && i->space == PTX_GLOBAL;
        body.stores |= instruction_does(i, E_STORE) && i->space == PTX_GLOBAL;
        if (ptx_is_branch(i)) { // a jump to the next block
            body.slots -= s->inst[k].slots;
            body.fixed |= i->guard != PTX_NO_REG;
        } else {
            body.fixed |= instruction_does(i, FIXED);
        }
    }
    return body;
}

static int has_barrier(const struct sass *s, uint32_t from, uint32_t to)
{
    for (uint32_t k = from; k < to; k++)
        if (instruction_does(&s->f->inst[k], E_BARRIER)) return 1;
    return 0;
}

// Returns 1 if a branch at or after instruction `from` leads to an instruction before `from`, so that instruction
// `from` is in a loop.
static int goes_back(const struct sass *s, uint32_t from)
{
    for (uint32_t k = from; k < s->f->ninsts; k++)
        if (ptx_is_branch(&s->f->inst[k]) && s->f->inst[k].operand[0].index < from) return 1;
    return 0;
}

// Returns 1 if basic block b ends with a conditional branch over the next basic block, and only block b leads to the
// next basic block.
static int jumps_over_next(const struct sass *s, uint32_t b, const uint32_t *preds)
{
    const struct lower *l = s->l;
    const struct ptx_inst *last = &l->f->inst[l->block[b].inst + l->block[b].ninsts - 1];
    uint32_t next = b + 1;
    if (!ptx_is_branch(last) || last->guard == PTX_NO_REG || last->copy_of || next >= l->nblocks || preds[next] != 1)
        return 0;
    if (l->first_succ[b + 1] - l->first_succ[b] != 2 || l->first_succ[next + 1] - l->first_succ[next] != 1) return 0;
    uint32_t target = l->succ[l->first_succ[b]];
    if (sass_ends_kernel(s, l->block[target].inst)) return 0;
    return l->succ[l->first_succ[next]] == target && target > next;
}

void sass_convert(struct sass *s)
{
    struct lower *l = s->l;
    uint32_t *preds = ARENA_ARRAY(l->arena, l->nblocks + 1, uint32_t);
    for (uint32_t b = 0; b < l->nblocks; b++)
        for (uint32_t e = l->first_succ[b]; l->block[b].reached && e < l->first_succ[b + 1]; e++) preds[l->succ[e]]++;
    for (uint32_t b = 0; b + 1 < l->nblocks; b++) {
        if (!l->block[b].reached || !jumps_over_next(s, b, preds)) continue;
        const struct lower_block *inner = &l->block[b + 1];
        struct body body = body_of(s, inner);
        uint32_t branch = l->block[b].inst + l->block[b].ninsts - 1, end = inner->inst + inner->ninsts, most = SHORT;
        if (body.loads && !has_barrier(s, 0, branch)) most = SHORT_WITH_LOAD;
        if (body.loads && (body.stores || !(has_barrier(s, end, s->f->ninsts) || goes_back(s, end)))) continue;
        if (body.fixed || body.slots > most) continue;
        s->inst[branch].slots = 0;
        for (uint32_t k = inner->inst; k < end; k++) {
            s->inst[k].counted_by = s->inst[branch].counted_by;
            if (ptx_is_branch(&s->f->inst[k])) s->inst[k].slots = 0;
        }
    }
}
