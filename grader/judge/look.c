// The speed case is the one whose caches and time are modelled, and large enough for its figures to mean something.
#include "judge/look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "judge/trial.h"

void look_take(struct look *l, const struct lab *lab, const struct wire_device *device, struct speed_run *run)
{
    *l = (struct look){.device = *device};
    for (uint32_t i = 0; i < run->plan.nbuffers; ++i) l->buffer[run->engine[i]] = run->plan.buffer[i].name;
    for (uint32_t k = 0; k < LAB_KERNELS && lab->kernel[k]; ++k) {
        const struct engine_launch *last = NULL;
        for (uint32_t s = 0; s < run->plan.nsteps; ++s)
            if (run->plan.step[s].kernel == k) last = &run->plan.step[s].launch;
        if (!last || !run->kernel_ps[k]) continue;
        struct look_kernel *to = &l->kernel[l->nkernels++];
        *to = (struct look_kernel){.name = lab->kernel[k], .time_ps = run->kernel_ps[k], .seen = run->last[k]};
        memcpy(to->grid, last->grid, sizeof to->grid);
        memcpy(to->block, last->block, sizeof to->block);
        run->last[k] = NULL;
    }
}

void look_free(struct look *l)
{
    for (uint32_t k = 0; k < l->nkernels; ++k) free(l->kernel[k].seen);
    l->nkernels = 0;
}

int judge_look(const struct judge_job *job, struct look *l, struct text *why)
{
    struct compile_result compiled;
    struct trial trial;
    struct speed_run run;
    *l = (struct look){.nkernels = 0};
    compile_source(job->compiler, job->source, job->bytes, job->shown, job->kit, 1u << IMAGE_OPTIMISED, &compiled);
    if (compiled.status == COMPILE_FAILED) die("%s", compiled.messages.data);
    if (compiled.status != COMPILED) {
        text_add(why, compiled.messages.data, compiled.messages.length);
    } else if (trial_start(&trial, job, IMAGE_OPTIMISED, &compiled.image[IMAGE_OPTIMISED])) {
        text_printf(why, "%s\n", trial.sentence);
        trial_stop(&trial);
    } else {
        trial_speed(&trial, &run);
        if (run.problem[0])
            text_printf(why, "%s\n", run.problem);
        else
            look_take(l, job->lab, &trial.runner.device, &run);
        speed_run_free(&run);
        trial_stop(&trial);
    }
    compile_result_free(&compiled);
    return l->nkernels ? 0 : -1;
}
