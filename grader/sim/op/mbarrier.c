// Lowers the instructions on mbarriers to a store, atomics and loads of the mbarrier's 64-bit word in shared memory
// (core/mbarrier.h).
#include "sim/core/mbarrier.h"
#include "ptx/opcode.h"
#include "ptx/ptx.h"
#include "sim/op/lower.h"

// Appends an access to the mbarrier's 64-bit word that operand `m` names. The caller sets the fields of the returned
// struct sim_access that depend on the kind of access, such as `op` and `atom`.
static struct sim_access *word_access(struct lower *l, const struct ptx_inst *i, const struct ptx_operand *m,
                                      enum access_kind kind, struct ref *base, uint32_t *side)
{
    struct sim_access *a = &lower_access(l, i, m, i->space, base, side)->access;
    a->kind = (uint8_t)kind;
    a->bytes = a->row_bytes = 8;
    a->count = 1;
    a->scope = PTX_CTA;
    a->sem = PTX_RELAXED;
    if (i->op == PTX_OP_mbarrier_init) a->sem = PTX_WEAK;
    if (kind == ACCESS_ATOMIC && i->sem != PTX_RELAXED) a->sem = PTX_RELEASE;
    return a;
}

static void set_row(struct lower *l, uint32_t side, struct ref row)
{
    struct sim_memory_op *m = &l->access.at[side];
    m->row[0] = row.row;
    m->reg[0] = row.reg;
    m->access.op = l->op.count;
}

// Lowers mbarrier.init to a store of the initial word for `arrivals` arrivals. If `arrivals` is NULL, store_word()
// lowers mbarrier.inval to a store of 0. A thread may not arrive at an mbarrier whose word is 0.
//
// The store of mbarrier.inval counts as a strong access, as arrivals at an mbarrier and tests of an mbarrier do.
// Because mbarrier.inval counts as a strong access, no race is reported between it and an arrival at the mbarrier or a
// test of the mbarrier. Code of libcu++ would otherwise be reported as a race. In libcu++, a thread invalidates an
// mbarrier when an atomic counter has reached zero, although the other threads did not release their accesses to the
// mbarrier.
static void store_word(struct lower *l, const struct ptx_inst *i, const struct ptx_operand *arrivals)
{
    struct ref src[2] = {{0, 0}, lower_constant(l, 0, 8)}, number;
    uint32_t side;
    word_access(l, i, &i->operand[0], ACCESS_WRITE, &src[0], &side);
    if (arrivals) {
        number = lower_source(l, arrivals, 4);
        src[1] = lower_temp(l, 8);
        l->hidden++;
        lower_emit(l, mbarrier_word, &number, 1, &src[1], 1);
        l->hidden--;
    }
    set_row(l, side, src[1]);
    lower_emit_access(l, PTX_OP_st, side, src, 2, NULL, 0)->required = REQUIRED_ALL;
}

static void arrive(struct lower *l, const struct ptx_inst *i, enum sim_mbarrier_atom atom,
                   const struct ptx_operand *word, const struct ptx_operand *state, struct ref arrivals)
{
    struct ref src[2] = {{0, 0}, arrivals}, dst = {0, 0};
    uint32_t side;
    if (state && state->kind == PTX_OPERAND_REG) dst = lower_dest(l, state, 8, 0);
    struct sim_access *a = word_access(l, i, word, ACCESS_ATOMIC, &src[0], &side);
    a->atom = (uint8_t)atom;
    a->atom_type = PTX_U64;
    a->returns = dst.reg != 0;
    a->op = l->op.count;
    struct sim_op *o = lower_emit(l, lower_find(l, PTX_OP_atom, PTX_NONE, VARIANT_PLAIN), src, 2, &dst, dst.reg != 0);
    o->side = side;
    o->required = REQUIRED_ALL;
}

void lower_mbarrier_store(struct lower *l, const struct ptx_inst *i)
{
    store_word(l, i, i->noperands > 1 ? &i->operand[1] : NULL);
}

void lower_mbarrier_arrive(struct lower *l, const struct ptx_inst *i)
{
    arrive(l, i, i->op == PTX_OP_mbarrier_drop ? MBARRIER_DROP : MBARRIER_ARRIVE, &i->operand[1], &i->operand[0],
           i->noperands > 2 ? lower_source(l, &i->operand[2], 8) : lower_constant(l, 1, 8));
}

void lower_mbarrier_copies(struct lower *l, const struct ptx_inst *i)
{
    arrive(l, i, MBARRIER_COPIES, &i->operand[0], NULL, lower_constant(l, (i->flags & PTX_NOINC) != 0, 8));
}

// Lowers an mbarrier test to a load of the mbarrier's word and a hidden op that tests the loaded word.
void lower_mbarrier_test(struct lower *l, const struct ptx_inst *i)
{
    int by_parity = i->op == PTX_OP_mbarrier_test_parity || i->op == PTX_OP_mbarrier_try_parity;
    struct ref base, word = lower_temp(l, 8), done = lower_dest(l, &i->operand[0], 1, 0);
    struct ref src[2] = {word, lower_source(l, &i->operand[2], by_parity ? 4 : 8)};
    uint32_t side;
    word_access(l, i, &i->operand[1], ACCESS_READ, &base, &side);
    set_row(l, side, word);
    lower_emit_access(l, PTX_OP_ld, side, &base, 1, &word, 1)->required = REQUIRED_FIRST;
    l->hidden++;
    struct sim_op *op = lower_emit(l, mbarrier_test, src, 2, &done, 1);
    op->mode = (uint8_t)by_parity;
    op->required = REQUIRED_ALL;
    l->hidden--;
}

void lower_mbarrier_pending(struct lower *l, const struct ptx_inst *i)
{
    struct ref src = lower_source(l, &i->operand[1], 8), dst = lower_dest(l, &i->operand[0], 4, 0);
    lower_emit(l, mbarrier_count, &src, 1, &dst, 1);
}
