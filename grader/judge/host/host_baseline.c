// See host_baseline.h.
#include "judge/host/host_baseline.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/die.h"
#include "judge/host/host_run.h"
#include "judge/job/judge_baseline.h"

const struct host_trace_kernel *host_baseline_kernel(const struct host_trace *s, const char *name)
{
    static const struct host_trace_kernel none;
    for (uint32_t i = 0; i < s->nkernels; ++i)
        if (!strcmp(s->kernel[i].name, name)) return &s->kernel[i];
    return &none;
}

void host_baseline_run(const struct judge_job *job, const struct text *image, struct judge_record *record)
{
    struct host_run *run = alloc_zeroed(1, sizeof *run);
    struct judge_baseline base;
    judge_baseline_program(job, &base);
    host_run_start(run, job, lab_speed_case(job->lab), base.path, image);
    if (run->result != CASE_RIGHT || host_run_complete(run)) die("the baseline's speed is not known: %s", run->message);
    const struct host_trace_kernel *k = host_baseline_kernel(run->devices.trace, job->lab->kernel[0]);
    *record = (struct judge_record){.time_ps = run->io->end_ps - run->io->begin_ps,
                                    .sampled = k->sampled != 0,
                                    .kernel = {{.time_ps = k->time_ps, .counters = k->counters}}};
    host_run_free(run);
    free(run);
    judge_baseline_free(&base);
}
