// Runs the correctness cases and the speed case of one image. The image belongs to a submission or is the baseline.
#ifndef JUDGE_KERNEL_RUN_H
#define JUDGE_KERNEL_RUN_H

#include "judge/job/image.h"
#include "judge/kernel/speed.h"
#include "judge/verdict/verdict.h"

// Describes the order in which the threads of a case run. Seed 0 means ascending order. Any other seed shuffles blocks
// and warps at random. With `jitter`, the seed also shuffles the lanes of each warp.
struct case_order {
    uint64_t seed;
    int jitter;
    int again; // 1: the case was run before, so coverage does not count this run
};
// Contains the result of one run of a correctness case.
struct case_run {
    enum case_result result;
    char message[OBSERVATION_MESSAGE];
    int buffer;   // CASE_WRONG: index of the first wrong output buffer in the plan
    int launched; // 1: the device accepted at least one launch of the case
    struct lab_comparison comparison;
    uint64_t inst;    // number of warp instructions that the case executed
    uint64_t outputs; // hash of the bits of all outputs; 0: no outputs were compared
};

struct kernel_runs;
struct kernel_run {
    struct kernel_runs *runs; // the grading to which the run belongs; NULL: there is no grading
    struct judge_image image;
    struct case_run item[VERDICT_CASES]; // results, by the case's index in the lab
    struct verdict_findings findings;
    int endless;   // 1: a launch exceeded its budget, and later launches get a smaller budget
    uint64_t left; // most warp instructions of all later launches together; at least 1
    struct text print;
    // `shown` and `unshown` count how often the cases executed each source line. `shown` counts visible correctness
    // cases. `unshown` counts hidden cases and the speed case. The run owns `shown` and `unshown`.
    struct coverage *shown, *unshown;
    struct kernel_speed speed;
};

// Starts a runner and loads the image. Returns 0, or -1 with a sentence in run->image.sentence. Call kernel_run_free()
// after 0 and after -1.
int kernel_run_start(struct kernel_run *, const struct judge_job *, enum compile_image, const struct text *image);
// Ends the runner and frees the memory that the run owns. kernel_run_free() may be called twice.
void kernel_run_free(struct kernel_run *);
// Returns 1 if the given correctness case is run on an image of the given kind, else 0. `coverage` has the meaning of
// judge_job.coverage.
int kernel_run_has_case(enum compile_image, const struct lab_case *, int coverage);
// Runs one correctness case in the given order and stores the result in the last argument. `index` is the index of the
// case in the lab. Findings are added to run->findings.
void kernel_run_case(struct kernel_run *, uint32_t index, struct case_order, struct case_run *);
// Runs one correctness case and stores the result in run->item[index]. A short case also runs in another order, and the
// results are compared.
void kernel_run_orders(struct kernel_run *, uint32_t index);
// Runs the speed case on the simulator, executing only a sample of the blocks if the case is large. The result is in
// run->speed.
void kernel_run_speed(struct kernel_run *);
// Checks the outputs of the speed case. kernel_run_speed() must have run on this image before. If the kernels left out
// work, stores a sentence in speed.problem.
void kernel_run_work(struct kernel_run *);

#endif
