// The orders in which a case is run, and what follows when they disagree.
//
// Blocks, warps and (since Volta) the lanes of a warp run in no promised order, and a kernel that is right in some of
// them is right by luck. So each short case is run in four: the optimised image in ascending order, then in one in
// which lanes stray from each other too; the unoptimised one in two others, likewise. A case that is right in one order
// and wrong in another, of one image, is a finding. "Right" is the lab's own word: what must be exact (integers) is so
// bit for bit in every order; a sum of floats by atomics may differ from order to order as long as it stays within the
// bound that the lab derived for it, because its last bits are nobody's promise either.
#include "base/prng.h"
#include "judge/kernel/run.h"

// Warp instructions of a case that is run in a second order: what is longer shows nothing new and takes its time.
static const uint64_t AGAIN_MOST = 1 << 17;

int kernel_run_has_case(enum compile_image kind, const struct lab_case *c, int coverage)
{
    if (c->flags & CASE_SPEED) return 0;
    return kind == IMAGE_OPTIMISED || c->flags & CASE_SMALL || coverage;
}

// Runs a case once more, in another order. Right in one and wrong in the other is a finding, unless something else is
// found, which then is the cause.
static void look_at_order(struct kernel_run *p, uint32_t index, struct case_order order)
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
    uint64_t seed[3]; // not that of inputs
    struct prng schedule = prng_stream(p->image.job->seed, "schedule of blocks and warps");
    for (int k = 0; k < 3; ++k) seed[k] = prng_u64(&schedule) | 1;
    int optimised = p->image.kind == IMAGE_OPTIMISED;
    kernel_run_case(p, i, (struct case_order){.seed = optimised ? 0 : seed[1]}, &p->item[i]);
    if (optimised)
        look_at_order(p, i, (struct case_order){.seed = seed[0], .stray = 1});
    else if (p->item[i].result == CASE_WRONG) // wrong out of order: is it right in order?
        look_at_order(p, i, (struct case_order){.seed = 0});
    else
        look_at_order(p, i, (struct case_order){.seed = seed[2], .stray = 1});
}
