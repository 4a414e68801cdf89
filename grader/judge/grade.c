// Grades a submission with the functions of host/ if the lab is a host lab, else with the functions of kernel/. Also
// computes the score and the advice on what the student should do next.
#include "judge/judge.h"

#include "base/die.h"
#include "judge/host/host.h"
#include "judge/kernel/kernel.h"

int judge_steps(const struct lab *lab, int coverage)
{
    return lab->host ? host_steps(lab) : kernel_steps(lab, coverage);
}

void judge_grade(const struct judge_job *job, struct verdict *v)
{
    struct grading g;
    BUG_ON(job->lab->ncases > VERDICT_CASES);
    grading_begin(&g, job, v);
    if (job->lab->host)
        host_grade(&g);
    else
        kernel_grade(&g);
    grading_end(&g);
    verdict_score(v);
    verdict_next(v);
}
