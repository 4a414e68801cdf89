// The source is compiled and loaded by a runner as for grading; then the runner is asked, and ended.
#include "judge/facts.h"

#include <string.h>

#include "base/die.h"
#include "judge/trial.h"

static struct judge_fact fact_of(const struct trial *t, int kernel)
{
    const struct lab_shape *s = &t->shape[kernel];
    struct judge_fact f = {
        .name = t->job->lab->kernel[kernel],
        .threads = (uint32_t)(s->block[0] * (s->block[1] ? s->block[1] : 1) * (s->block[2] ? s->block[2] : 1))};
    for (uint32_t i = 0; i < t->image.nkernels; ++i) {
        if (strcmp(t->image.kernel[i].name, f.name) != 0) continue;
        f.registers = t->image.kernel[i].registers;
        f.shared = t->image.kernel[i].shared_bytes + (uint32_t)s->shared;
    }
    return f;
}

int judge_facts(const struct judge_job *job, struct judge_fact fact[LAB_KERNELS], struct text *why)
{
    struct compile_result compiled;
    struct trial trial;
    int count = -1;
    compile_source(job->compiler, job->source, job->bytes, job->shown, job->kit, 1u << IMAGE_OPTIMISED, &compiled);
    if (compiled.status == COMPILE_FAILED) die("%s", compiled.messages.data);
    if (compiled.status != COMPILED) {
        text_add(why, compiled.messages.data, compiled.messages.length);
    } else {
        if (trial_start(&trial, job, IMAGE_OPTIMISED, &compiled.image[IMAGE_OPTIMISED]))
            text_printf(why, "%s\n", trial.sentence);
        else
            for (count = 0; count < LAB_KERNELS && job->lab->kernel[count]; ++count)
                fact[count] = fact_of(&trial, count);
        trial_stop(&trial);
    }
    compile_result_free(&compiled);
    return count;
}
