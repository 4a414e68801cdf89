// Runs the correctness test cases and the speed case (the test case whose time is measured) on one image, which belongs
// to a submission or to the baseline.
#ifndef JUDGE_KERNEL_KERNEL_RUN_H
#define JUDGE_KERNEL_KERNEL_RUN_H

#include "engine/recording.h"
#include "judge/job/judge_image.h"
#include "judge/kernel/speed.h"
#include "judge/verdict/verdict.h"

// Describes the order in which the threads of a test case run. The seed 0 means that blocks and warps run in ascending
// order. A seed other than 0 shuffles blocks and warps at random. If `jitter` is 1, a seed other than 0 shuffles not
// only blocks and warps but also the lanes of each warp.
struct case_order {
    uint64_t seed;
    int jitter;
    int again; // 1: the case was run before, so coverage does not count this run
};
// Contains the result of one run of a correctness test case.
struct case_run {
    enum case_result result;
    char message[OBSERVATION_MESSAGE];
    int buffer;   // CASE_WRONG: index of the first wrong output buffer in the plan
    int launched; // 1: the device accepted at least one launch of the case
    struct lab_comparison comparison;
    uint32_t grid[LAB_KERNELS][3]; // most blocks of a launch of each kernel, on each axis
    uint64_t inst;                 // number of warp instructions that the case executed
    uint64_t outputs;              // hash of the bits of all outputs; 0: no outputs were compared
};

// Names blocks of a kernel whose steps are recorded in a test case (engine/recording.h), and receives the recording:
// that of the kernel's first launch with a finding in these blocks, or else of its first launch.
struct kernel_record {
    const char *kernel;
    uint32_t nblocks, block[RECORDING_BLOCKS][3];
    int found;                        // 1: the recording has a finding
    struct text bytes;                // the recording; empty: there is none. The caller frees it
    struct verdict_findings findings; // of the recorded launch; finding.step is the step, or 0
    uint32_t grid[3], threads[3];     // blocks of its grid, threads of a block
};

struct kernel_runs;
struct kernel_run {
    struct kernel_runs *runs; // the grading to which the run belongs; NULL: there is no grading
    int is_baseline;          // 1: the image is the baseline's, so its sample does not depend on the submission
    struct judge_image image;
    struct case_run item[VERDICT_CASES]; // results, by the case's index in the lab
    struct verdict_findings findings;
    int slow;                     // 1: a launch exceeded its budget, and later launches get a smaller budget
    struct kernel_record *record; // NULL: nothing is recorded
    uint64_t left;                // most warp instructions of all later launches together
    struct text print;
    // `shown` and `unshown` count how often the cases executed each source line. `shown` counts visible correctness
    // cases. `unshown` counts the speed case. The struct kernel_run owns `shown` and `unshown`.
    struct coverage *shown, *unshown;
    struct kernel_speed speed;
};

// Starts a runner process and loads the image into it. Returns 0, or -1 with a sentence in run->image.sentence. Call
// kernel_run_free() even if kernel_run_start() returns -1.
int kernel_run_start(struct kernel_run *, const struct judge_job *, enum compile_image, const struct text *image);
// Ends the runner process and frees the memory that the struct kernel_run owns. It is safe to call kernel_run_free()
// twice.
void kernel_run_free(struct kernel_run *);
// Returns 1 if the given correctness test case is run on the optimised or unoptimised image, as the first argument
// says, else 0. `coverage` has the same meaning as the field `coverage` of struct judge_job.
int kernel_run_has_case(enum compile_image, const struct lab_case *, int coverage);
// Returns seed number `k`, 0 to 2, of the random orders in which the threads of test cases run: of the optimised
// image's second run, and of the unoptimised image's first and second.
enum { SEED_AGAIN, SEED_UNOPTIMISED, SEED_UNOPTIMISED_AGAIN };
uint64_t kernel_run_seed(const struct judge_job *, int k);
// Runs one correctness test case in the given order of its threads and stores the result in the last argument. `index`
// is the index of the test case in the lab. Adds the findings of the test case to run->findings.
void kernel_run_case(struct kernel_run *, uint32_t index, struct case_order, struct case_run *);
// Runs one correctness test case and stores the result in run->item[index]. If the test case is short, runs it a second
// time with its threads in another order than the first time, and compares the results of the two runs.
void kernel_run_orders(struct kernel_run *, uint32_t index);
// Adds a finding of a test case to run->findings. `plan` is the plan of the test case, and `buffer` the index of the
// buffer in this plan to which the finding belongs, or -1.
void kernel_run_add_finding(struct kernel_run *, const struct lab_plan *plan, const struct finding *,
                            const char *kernel, int buffer);
// Returns the poison of the speed case's outputs, a NaN with which the judge fills the outputs before the launches. An
// output word that still contains this NaN (the poison) after the launches counts as not written.
uint32_t kernel_speed_poison(const struct kernel_run *);
// Returns a launch of the speed case, with its instruction budget and the key that chooses its sample of blocks. The
// key of the sample depends on the source text and not on the compiled image, because nvcc makes another image of the
// same source each time.
struct engine_launch kernel_speed_launch(const struct kernel_run *, const struct lab_step *);
// Returns 1 if the launch has the buffer with the index `buffer` in the test case's plan as an argument, else 0.
int kernel_speed_is_argument(const struct lab_step *, uint32_t buffer);
// Adds a finding about the content that a buffer of the test case's plan has after all launches. The finding is about
// `count` words of the buffer, such as wrong words, of which the first is at the byte `offset`.
void kernel_run_add_buffer(struct kernel_run *, const struct lab_plan *, uint32_t buffer, enum finding_kind,
                           int64_t offset, uint64_t count);
// Runs the speed case, the test case whose time is measured, on the simulator. If the speed case is large, executes
// only a sample of the blocks. Stores the result of the speed case in run->speed.
void kernel_run_speed(struct kernel_run *);
// Checks that the kernels write correct outputs and make no unsafe access in the speed case. The caller must have
// called kernel_run_speed() on the same image (compiled kernels) before. If an output is wrong or the kernels left out
// work, stores a sentence in run->speed.problem. Adds findings of the speed case to run->findings.
void kernel_run_work(struct kernel_run *);

#endif
