// Runs a submission's two images (optimised and unoptimised) and the lab's baseline (its own slow kernels) in parallel.
#ifndef JUDGE_KERNEL_RUNS_H
#define JUDGE_KERNEL_RUNS_H

#include <semaphore.h>

#include "judge/job/record.h"
#include "judge/kernel/kernel_run.h"
#include "judge/verdict/grading.h"

enum { RUN_OPTIMISED, RUN_UNOPTIMISED, RUNS };

struct kernel_runs {
    struct grading *grading;
    const struct compile_result *compiled; // the submission's compiled images
    sem_t timed;                           // semaphore that is posted when the baseline's time is known
    struct kernel_run run[RUNS];
    struct judge_record baseline; // time and counters of the baseline
    int baseline_ran;             // 1: the baseline was simulated, because no record of it matches
    // images of the submission and the baseline for the GPU; empty: no image
    struct text card_student, card_baseline;
    int card_there; // 1: a GPU was found
};

// Runs the submission's optimised image and its unoptimised image, each on its own thread, and gets the baseline's time
// from its record or by running the baseline. Waits until all threads have ended. The caller sets the fields `grading`
// and `compiled`, and sets all other fields of struct kernel_runs to zero.
void kernel_runs_all(struct kernel_runs *);
// Fills the stage, test cases, findings, coverage and speed of the verdict from the observations of the runs. If there
// is a GPU, also measures the kernels on the GPU.
void kernel_runs_conclude(struct kernel_runs *);
// Ends the runner processes and frees the memory that the struct kernel_runs owns. The struct kernel_runs itself
// belongs to the caller.
void kernel_runs_free(struct kernel_runs *);

#endif
