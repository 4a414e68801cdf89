// Runs a case in several orders of its threads, and compares the results.
//
// No order of blocks, warps or (since Volta) lanes of a warp is guaranteed. A kernel that is right in only some orders
// is right by luck. So each short case is run in four orders. The optimised image is run in ascending order and in a
// second order with lane jitter. The unoptimised image is run in two other orders, one of them with lane jitter. A case
// that is right in one order and wrong in another, on the same image, is a finding.
//
// The lab defines "right". Integer results must be exact in every order. A sum of floats by atomics may differ from
// order to order within the bound that the lab derived for it.
#include "base/prng.h"
#include "judge/kernel/run.h"

// Most warp instructions of a case that is run in a second order. A longer case shows nothing new and takes too long.
static const uint64_t AGAIN_MOST = 1 << 17;

int kernel_run_has_case(enum compile_image kind, const struct lab_case *c, int coverage)
{
    if (c->flags & CASE_SPEED) return 0;
    return kind == IMAGE_OPTIMISED || c->flags & CASE_SMALL || coverage;
}

// Runs a case again in another order. If one result is right and the other wrong, adds a finding, unless another
// finding explains the difference.
static void compare_order(struct kernel_run *p, uint32_t index, struct case_order order)
{
    struct case_run again;
    enum case_result result = p->item[index].result;
    if (!(p->image.job->lab->cases[index].flags & CASE_SMALL) || p->item[index].inst > AGAIN_MOST) return;
    if ((result != CASE_RIGHT && result != CASE_WRONG) || verdict_defects(&p->findings)) return;
    order.again = 1;
    kernel_run_case(p, index, order, &again);
    if (again.result == result || (again.result != CASE_RIGHT && again.result != CASE_WRONG)) return;
    if (verdict_defects(&p->findings)) return;
    const struct lab_case *which = &p->image.job->lab->cases[index];
    struct verdict_finding f = {.finding = {.kind = FINDING_order_dependent, .buffer = -1, .count = 1},
                                .which = index,
                                .cases = UINT64_C(1) << index,
                                .hidden = (which->flags & CASE_HIDDEN) != 0,
                                .optimised = p->image.kind == IMAGE_OPTIMISED,
                                .unoptimised = p->image.kind == IMAGE_UNOPTIMISED};
    verdict_findings_add(&p->findings, &f);
}

void kernel_run_orders(struct kernel_run *p, uint32_t i)
{
    uint64_t seed[3]; // independent of the seed of inputs
    struct prng schedule = prng_stream(p->image.job->seed, "schedule of blocks and warps");
    for (int k = 0; k < 3; ++k) seed[k] = prng_u64(&schedule) | 1;
    int optimised = p->image.kind == IMAGE_OPTIMISED;
    kernel_run_case(p, i, (struct case_order){.seed = optimised ? 0 : seed[1]}, &p->item[i]);
    if (optimised)
        compare_order(p, i, (struct case_order){.seed = seed[0], .jitter = 1});
    else if (p->item[i].result == CASE_WRONG) // is it right in ascending order?
        compare_order(p, i, (struct case_order){.seed = 0});
    else
        compare_order(p, i, (struct case_order){.seed = seed[2], .jitter = 1});
}
