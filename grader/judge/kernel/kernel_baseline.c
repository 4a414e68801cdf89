// See kernel_baseline.h.
#include "judge/kernel/kernel_baseline.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/text.h"
#include "judge/job/judge_baseline.h"
#include "judge/kernel/kernel_run.h"

void kernel_baseline_run(const struct judge_job *job, struct judge_record *record)
{
    struct kernel_run *p = alloc_zeroed(1, sizeof *p);
    struct text image = {0};
    judge_baseline_image(job, job->compiler, IMAGE_OPTIMISED, &image);
    if (kernel_run_start(p, job, IMAGE_OPTIMISED, &image))
        die("the baseline '%s' is not launched: %s", job->baseline, p->image.sentence);
    p->is_baseline = 1;
    kernel_run_speed(p);
    const struct kernel_speed *s = &p->speed;
    if (s->problem[0] || !s->time_ps) die("the baseline's speed is not known: %s", s->problem);
    *record = (struct judge_record){.time_ps = s->time_ps, .sampled = s->sampled};
    for (int k = 0; k < LAB_KERNELS; ++k)
        record->kernel[k] = (struct judge_record_kernel){s->kernel_ps[k], s->kernel_sum[k]};
    kernel_run_free(p);
    free(p);
    text_free(&image);
}
