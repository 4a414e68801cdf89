// Begins and ends the grading of one submission, and reports progress from several threads.
#include "judge/verdict/grading.h"

#include <stdio.h>
#include <string.h>

void grading_begin(struct grading *g, const struct judge_job *job, struct verdict *v)
{
    *g = (struct grading){.job = job, .verdict = v};
    pthread_mutex_init(&g->step_lock, NULL);
    memset(v, 0, sizeof *v);
    v->job = job;
    v->sandbox = job->open ? BOX_LIMITS : box_level_here();
    v->speed.threshold = lab_threshold(job->lab, job->device);
    snprintf(v->compiler, sizeof v->compiler, "%s", job->compiler->version);
}

void grading_step(struct grading *g, const char *what)
{
    if (!g->job->step) return;
    pthread_mutex_lock(&g->step_lock);
    g->job->step(g->job->step_data, what);
    pthread_mutex_unlock(&g->step_lock);
}

void grading_end(struct grading *g)
{
    pthread_mutex_destroy(&g->step_lock);
}
