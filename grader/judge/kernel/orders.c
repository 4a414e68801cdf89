// Runs a test case in several orders of its threads, and compares the results.
//
// CUDA guarantees no order of blocks, of warps or (since Volta) of the lanes of a warp. A kernel that is right only in
// some orders of its threads is right by luck. Each short test case therefore runs four times, twice on each image. The
// optimised image first runs in ascending order, and then in a random order of blocks, warps and lanes. The unoptimised
// image first runs in a random order of blocks and warps, and then in a random order of blocks, warps and lanes. If the
// results of the unoptimised image's first run are wrong, the image's second run executes blocks, warps and lanes in
// ascending order instead of a random one. A finding is
// reported if one image is right in one order of a test case's threads and wrong in another order.
//
// The lab defines which results of a kernel are right, for integers and for sums of floats. Integer results must be
// exact in every order of the threads. A sum of floats by atomics may differ between orders of the threads within the
// error bound that the lab states for the sum.
#include "base/prng.h"
#include "judge/kernel/kernel_run.h"

// A test case that executes more than AGAIN_MOST warp instructions is not run again in a second order of its threads. A
// second run of a test case with more than AGAIN_MOST warp instructions would show nothing new and would take too long.
static const uint64_t AGAIN_MOST = 1 << 17;

int kernel_run_has_case(enum compile_image kind, const struct lab_case *c, int coverage)
{
    if (c->flags & CASE_SPEED) return 0;
    return kind == IMAGE_OPTIMISED || c->flags & CASE_SMALL || coverage;
}

// Runs a test case again in another order of its threads, and compares the result with the result of the test case's
// first execution. Adds a finding if the outputs are right in one order of the threads and wrong in the other order.
// Adds no finding if the first or the second execution of the test case had a finding that is a defect, because the
// defect explains why the outputs differ.
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

uint64_t kernel_run_seed(const struct judge_job *job, int k)
{
    struct prng schedule = prng_stream(job->seed, "schedule of blocks and warps"); // independent of the inputs
    while (k--) prng_u64(&schedule);
    return prng_u64(&schedule) | 1;
}

void kernel_run_orders(struct kernel_run *p, uint32_t i)
{
    const struct judge_job *job = p->image.job;
    int optimised = p->image.kind == IMAGE_OPTIMISED;
    kernel_run_case(p, i, (struct case_order){.seed = optimised ? 0 : kernel_run_seed(job, SEED_UNOPTIMISED)},
                    &p->item[i]);
    if (optimised)
        compare_order(p, i, (struct case_order){.seed = kernel_run_seed(job, SEED_AGAIN), .jitter = 1});
    else if (p->item[i].result == CASE_WRONG) // check whether the case is right in ascending order
        compare_order(p, i, (struct case_order){.seed = 0});
    else
        compare_order(p, i, (struct case_order){.seed = kernel_run_seed(job, SEED_UNOPTIMISED_AGAIN), .jitter = 1});
}
