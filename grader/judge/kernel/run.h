// One image of a submission, or of the baseline, on a runner: its correctness cases and its speed case.
#ifndef JUDGE_KERNEL_RUN_H
#define JUDGE_KERNEL_RUN_H

#include "judge/job/image.h"
#include "judge/kernel/speed.h"
#include "judge/verdict/verdict.h"

// The order in which a case's threads run. Seed 0: ascending; another seed: blocks and warps are shuffled by it, and
// with `jitter` the lanes of a warp as well.
struct case_order {
    uint64_t seed;
    int jitter;
    int again; // 1: the case was run before, so coverage does not count it
};
// What one run of a correctness case showed.
struct case_run {
    enum case_result result;
    char message[OBSERVATION_MESSAGE];
    int buffer;   // CASE_WRONG: index of the first wrong output in the plan
    int launched; // 1: the device took at least one of its launches
    struct lab_comparison comparison;
    uint64_t inst;    // warp instructions that it took
    uint64_t outputs; // hash of all outputs' bits; 0: none were compared
};

struct kernel_runs;
struct kernel_run {
    struct kernel_runs *runs; // of a grading; NULL: nothing is graded
    struct judge_image image;
    struct case_run item[VERDICT_CASES]; // by the case's index in the lab
    struct verdict_findings findings;
    int endless;   // 1: a launch ran out of its budget, and the next ones get less
    uint64_t left; // warp instructions that the launches to come may take in all; at least 1
    struct text print;
    // What the cases executed: visible correctness cases; hidden cases and the speed case. Owned.
    struct coverage *shown, *unshown;
    struct kernel_speed speed;
};

// Starts a runner and loads the image. Returns 0, or -1 with run->image.sentence. Free it in both cases.
int kernel_run_start(struct kernel_run *, const struct judge_job *, enum compile_image, const struct text *image);
// Ends the runner and frees what the run owns; may be called twice.
void kernel_run_free(struct kernel_run *);
// Returns 1 if that correctness case is run on an image of that kind; `coverage` as in the job.
int kernel_run_has_case(enum compile_image, const struct lab_case *, int coverage);
// Runs one correctness case. `index` is its place in the lab's cases. Findings are added to run->findings.
void kernel_run_case(struct kernel_run *, uint32_t index, struct case_order, struct case_run *);
// Runs one correctness case in one order into run->item, and a short one in another order as well.
void kernel_run_orders(struct kernel_run *, uint32_t index);
// Runs the speed case, sampled; the result is in run->speed.
void kernel_run_speed(struct kernel_run *);
// Looks at the outputs of the speed case, which ran on this run before: speed.problem says when the work was not done.
void kernel_run_work(struct kernel_run *);

#endif
