// Computes instruction counters from a tally of executed ops; tally.h states the contract.
//
// Technique. When a warp executes a sequence of consecutive ops, the simulator adds one to the tally entry of the
// sequence's first op, and subtracts one from the entry after its last op. The sum of all tally entries up to an op is
// therefore the number of warps, or of lanes, that executed the op. An op counts as many instructions as the device
// executes for the op: none, one or several (sass.h). If ptxas replaces a branch by predicates, a device also executes
// the predicated instructions in warps that would have taken the branch. If ptxas replaces a PTX branch by predicates,
// the number of executions of each predicated op is the number of warps that execute the branch in PTX.
#include "sim/timing/tally.h"

#include "sim/core/op.h"
#include "sim/core/warp.h"

static void count_pipe(struct counters *c, const struct sim_op_info *info, uint64_t n)
{
    switch (info->pipe) {
    case PIPE_FP32:
        c->fp32_inst += n * info->slots;
        break;
    case PIPE_INT:
    case PIPE_ALU:
    case PIPE_MUL:
        c->int_inst += n * info->slots;
        break;
    case PIPE_FP64:
        c->fp64_inst += n * info->slots;
        break;
    case PIPE_SFU: // one instruction uses the SFU, and the others prepare its operand
        c->sfu_inst += n;
        c->fp32_inst += n * (info->slots - 1u);
        break;
    default:
        break;
    }
}

// Adds the counts of an op that `n` warps execute. In `own` of the `n` warps, at least one lane is active; in the other
// warps, the op is predicated off for all lanes.
static void count_op(struct counters *c, const struct sim_op_info *info, uint64_t n, uint64_t own)
{
    c->warp_inst += n * info->slots;
    if (info->slots) count_pipe(c, info, n);
    if (info->shared == SHARED_NONE) return;
    if (info->shared == SHARED_LOAD)
        c->shared_ld_inst += n;
    else
        c->shared_st_inst += n;
    c->lsu_wavefronts += n - own; // a predicated access without active lanes takes one wavefront
}

void tally_close(const struct sim_program *p, const struct op_tally *tally, struct counters *op, uint64_t *ran)
{
    int64_t warps = 0, lanes = 0;
    for (uint32_t k = 0; k < p->nops; k++) {
        warps += tally[k].warps;
        ran[k] = (uint64_t)warps;
    }
    for (uint32_t k = 0; k < p->nops; k++) {
        const struct op_tally *t = &tally[k];
        const struct sim_op_info *info = &p->info[k];
        struct counters *c = &op[k];
        lanes += t->lanes;
        c->divergent_branches += t->divergent;
        if (p->op[k].hidden) continue;
        uint64_t threads = (uint64_t)lanes - t->off;
        c->ptx_inst += ran[k];
        c->ptx_thread_inst += threads;
        c->thread_inst += threads * info->slots;
        c->flop += threads * info->flops;
        count_op(c, info, ran[info->counted_by], ran[k]);
        if (p->op[k].role == ROLE_BRANCH || p->op[k].role == ROLE_BRANCH_TABLE) c->branches += ran[k];
    }
}
