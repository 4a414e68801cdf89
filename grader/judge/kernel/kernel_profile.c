// Makes the profile of a submission's kernels from the lab's speed case, the test case whose time is measured. Only the
// speed case has simulated caches and times, and only the speed case is large enough for meaningful counters.
#include "judge/kernel/kernel_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/text.h"
#include "judge/kernel/kernel_run.h"

void kernel_profile_take(struct profile *l, const struct judge_job *job, const struct wire_device *device,
                         struct kernel_speed *run)
{
    const struct lab *lab = job->lab;
    *l = (struct profile){.device = *device, .source = judge_job_bundle(job)};
    for (uint32_t i = 0; i < run->plan.nbuffers; ++i) l->buffer[run->engine[i]] = run->plan.buffer[i].name;
    for (uint32_t k = 0; k < LAB_KERNELS && lab->kernel[k]; ++k) {
        const struct engine_launch *last = NULL;
        for (uint32_t s = 0; s < run->plan.nsteps; ++s)
            if (run->plan.step[s].kernel == k) last = &run->plan.step[s].launch;
        if (!last || !run->kernel_ps[k]) continue;
        struct profile_kernel *to = &l->kernel[l->nkernels++];
        *to = (struct profile_kernel){.name = lab->kernel[k], .time_ps = run->kernel_ps[k], .seen = run->last[k]};
        memcpy(to->grid, last->grid, sizeof to->grid);
        memcpy(to->block, last->block, sizeof to->block);
        run->last[k] = NULL;
    }
}

int kernel_profile(const struct judge_job *job, struct profile *l, struct text *why)
{
    struct compile_result compiled;
    struct kernel_run run = {.runs = NULL};
    *l = (struct profile){.nkernels = 0};
    compile_source(job->compiler, job->source, job->bytes, job->shown, job->kit, 1u << IMAGE_OPTIMISED, &compiled);
    if (compiled.status == COMPILE_FAILED) die("%s", compiled.messages.data);
    if (compiled.status != COMPILED) {
        text_add(why, compiled.messages.data, compiled.messages.length);
    } else if (kernel_run_start(&run, job, IMAGE_OPTIMISED, &compiled.image[IMAGE_OPTIMISED])) {
        text_printf(why, "%s\n", run.image.sentence);
        kernel_run_free(&run);
    } else {
        kernel_run_speed(&run);
        if (run.speed.problem[0])
            text_printf(why, "%s\n", run.speed.problem);
        else
            kernel_profile_take(l, job, &run.image.runner.device, &run.speed);
        kernel_run_free(&run);
    }
    compile_result_free(&compiled);
    return l->nkernels ? 0 : -1;
}
