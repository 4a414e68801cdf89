// One submission's grading while it runs: what its threads (grade.c) hand to the conclusion (conclude.c).
#ifndef JUDGE_GRADING_H
#define JUDGE_GRADING_H

#include <pthread.h>
#include <semaphore.h>

#include "judge/trial.h"

enum grading_part { PART_OPTIMISED, PART_UNOPTIMISED, PART_BASELINE, PARTS };

struct grading {
    const struct judge_job *job;
    const struct compile_result *compiled;
    uint64_t order_seed[3];
    pthread_mutex_t step_lock;
    sem_t timed;   // posted when the baseline's time is known
    double needed; // speedup, by the model
    struct part {
        struct grading *grading;
        struct trial trial;
        struct trial_outcome outcome[VERDICT_CASES];
        struct speed_run speed;
    } part[PARTS];
    struct text card_student, card_baseline; // images for the card; empty: there is none
    int card_there;                          // 1: a card was found
};

// Fills stage, cases, findings, coverage and speed of the verdict from what the parts observed; measures on the card
// where there is one. All threads have ended.
void grading_conclude(struct verdict *, struct grading *);

#endif
