// Runs a submission's optimised image and its unoptimised image in parallel, and finds the time of the lab's baseline
// (its own slow kernels).
//
// Theory of operation. After the submission is compiled, its optimised image and its unoptimised image run at the same
// time, each on its own thread and in its own runner process. The baseline has a thread of its own, too. If there is a
// GPU, one more thread compiles the submission and the baseline for the GPU.
//
//   optimised     the correctness cases, then (if all are right and nothing was found) the speed case, and some of its
//                 blocks again without the operations that the lab's technique asks for (use.c)
//   unoptimised   the small cases again, because the optimiser can hide mistakes in the submission
//   baseline      take the time from the baseline's record (job/record.h); where no record matches, compile the
//                 baseline and run its speed case
//   GPU           (if there is a GPU) compile the submission and the baseline for the GPU
//
// When all threads have ended, kernel_runs_conclude() computes the verdict from the observations of the runs.
//
// The threads that runs.c starts share the struct judge_job, which is constant, and the baseline's time. The host
// thread that runs the submission's optimised image waits until the thread of the baseline has stored the
// baseline's time. All threads are joined before the verdict is computed, so a verdict does not depend on the threads'
// speed. A thread starts and ends its own runner process, because a sandbox ends with the thread that started the
// sandbox.
#include "judge/kernel/runs.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "judge/card/card.h"
#include "judge/kernel/kernel_baseline.h"
#include "judge/kernel/use.h"

// Waits for the time of the baseline (the lab's own slow kernels), and returns 1 if the submission is too slow to pass.
// If a submission is too slow, the judge does not check its outputs in the speed case, the test case whose time is
// measured. Checking the outputs of the speed case would take long, and a submission that is too slow fails anyway.
static int is_too_slow(struct kernel_run *p)
{
    struct kernel_runs *g = p->runs;
    while (sem_wait(&g->timed)) continue; // sem_wait() fails if a signal interrupts the call
    sem_post(&g->timed);
    return (double)g->baseline.time_ps < g->grading->verdict->speed.threshold.minimum * (double)p->speed.time_ps;
}

static void try_optimised(struct kernel_run *p)
{
    struct kernel_runs *g = p->runs;
    const struct lab *lab = g->grading->job->lab;
    int right = !kernel_run_start(p, g->grading->job, IMAGE_OPTIMISED, &g->compiled->image[IMAGE_OPTIMISED]);
    for (uint32_t i = 0; i < lab->ncases && !p->image.sentence[0]; ++i) {
        if (!kernel_run_has_case(IMAGE_OPTIMISED, &lab->cases[i], 0)) continue;
        kernel_run_orders(p, i);
        right = right && p->item[i].result == CASE_RIGHT;
        grading_step(g->grading, lab->cases[i].flags & CASE_HIDDEN ? _("a hidden case") : lab->cases[i].name);
    }
    if (!right || verdict_defects(&p->findings)) return;
    kernel_run_speed(p);
    if (!is_too_slow(p)) kernel_run_work(p);
    kernel_use_measure(p);
}

// A case that executes more than WRONG_MOST warp instructions and has wrong outputs is the last that is run on the
// unoptimised image. The optimised image shows that the outputs are wrong, and further cases would only take long.
static const uint64_t WRONG_MOST = 4 << 20;

static void try_unoptimised(struct kernel_run *p)
{
    struct kernel_runs *g = p->runs;
    const struct lab *lab = g->grading->job->lab;
    int ends = 0;
    kernel_run_start(p, g->grading->job, IMAGE_UNOPTIMISED, &g->compiled->image[IMAGE_UNOPTIMISED]);
    for (uint32_t i = 0; i < lab->ncases && !p->image.sentence[0]; ++i) {
        if (!kernel_run_has_case(IMAGE_UNOPTIMISED, &lab->cases[i], g->grading->job->coverage)) continue;
        if (!ends) kernel_run_orders(p, i);
        ends |= p->item[i].result == CASE_WRONG && p->item[i].inst > WRONG_MOST;
        grading_step(g->grading, N_("without optimisation"));
    }
}

// Calls `try`, and calls `try` a second time if its runner process ended early within LONG_S seconds. The second call
// of `try` is necessary because the machine may have ended the first runner process (job/runner.c).
static void try_twice(struct kernel_run *p, void (*try)(struct kernel_run *))
{
    static const double LONG_S = 20;
    try(p);
    if (p->image.lost && p->image.runner.box.wall_s < LONG_S) {
        kernel_run_free(p);
        try(p);
    }
    judge_runner_stop(&p->image.runner);
}

static void *run_optimised(void *data)
{
    struct kernel_run *p = data;
    try_twice(p, try_optimised);
    grading_step(p->runs->grading, N_("speed"));
    return NULL;
}

static void *run_unoptimised(void *data)
{
    try_twice(data, try_unoptimised);
    return NULL;
}

static void *find_baseline(void *data)
{
    struct kernel_runs *g = data;
    const struct judge_job *job = g->grading->job;
    if (judge_record_find(job, &g->baseline) != RECORD_MATCHES) {
        kernel_baseline_run(job, &g->baseline);
        g->baseline_ran = 1;
    }
    sem_post(&g->timed);
    grading_step(g->grading, N_("the baseline's speed"));
    return NULL;
}

// Runs the baseline if a student's runner process ended early and the baseline has not run yet. If a fault of the
// machine ended the student's runner process, the same fault ends the baseline's runner process, and the grader with it
// (job/runner.c).
static void try_machine(struct kernel_runs *g)
{
    struct judge_record unused;
    if (g->baseline_ran || !(g->run[RUN_OPTIMISED].image.lost || g->run[RUN_UNOPTIMISED].image.lost)) return;
    kernel_baseline_run(g->grading->job, &unused);
}

static void *make_card_images(void *data)
{
    struct kernel_runs *g = data;
    char why[OBSERVATION_MESSAGE];
    if (!g->grading->job->card_runner) return NULL;
    g->card_there = !card_images(g->grading->job, &g->card_student, &g->card_baseline, why);
    if (!g->card_there && g->grading->job->card_needed)
        die("there is no card to measure on: %s; without --engine gpu the simulator's time counts", why);
    return NULL;
}

void kernel_runs_all(struct kernel_runs *g)
{
    static void *(*const body[RUNS])(void *) = {run_optimised, run_unoptimised};
    pthread_t thread[RUNS + 2];
    sem_init(&g->timed, 0, 0);
    int error = pthread_create(&thread[RUNS], NULL, make_card_images, g);
    if (!error) error = pthread_create(&thread[RUNS + 1], NULL, find_baseline, g);
    for (int i = 0; i < RUNS && !error; ++i) {
        g->run[i].runs = g;
        error = pthread_create(&thread[i], NULL, body[i], &g->run[i]);
    }
    if (error) die("cannot start a thread: %s", strerror(error));
    for (int i = 0; i < RUNS + 2; ++i) pthread_join(thread[i], NULL);
    try_machine(g);
}

void kernel_runs_free(struct kernel_runs *g)
{
    for (int i = 0; i < RUNS; ++i) kernel_run_free(&g->run[i]);
    text_free(&g->card_student);
    text_free(&g->card_baseline);
    sem_destroy(&g->timed);
}
