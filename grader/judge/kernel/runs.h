// The three runs of one grading of kernels, side by side.
#ifndef JUDGE_KERNEL_RUNS_H
#define JUDGE_KERNEL_RUNS_H

#include <semaphore.h>

#include "judge/kernel/run.h"
#include "judge/verdict/grading.h"

enum { RUN_OPTIMISED, RUN_UNOPTIMISED, RUN_BASELINE, RUNS };

struct kernel_runs {
    struct grading *grading;
    const struct compile_result *compiled; // the submission's images
    sem_t timed;                           // posted when the baseline's time is known
    struct kernel_run run[RUNS];
    struct text card_student, card_baseline; // images for the card; empty: there is none
    int card_there;                          // 1: a card was found
};

// Runs all, on threads of their own, until all have ended. `grading` and `compiled` are set; all else is zero.
void kernel_runs_all(struct kernel_runs *);
// Fills stage, cases, findings, coverage and speed of the verdict from what the runs observed. Measures on the card if
// there is one.
void kernel_runs_conclude(struct kernel_runs *);
void kernel_runs_free(struct kernel_runs *);

#endif
