// The judge: from a submission to a verdict.
//
//   source → compile → images → runner → observations → verdict
//
// The judge never loads a student's image and believes nothing but what it can check: outputs are compared on its own
// copies, guard zones and inputs read back, source lines quoted from its own text. A verdict is data alone; report/
// prints it. What the machine or we get wrong ends in die() with exit code 2, and never in a verdict.
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include "judge/job/job.h"
#include "judge/verdict/verdict.h"

// Grades; free with verdict_free. The verdict is large: keep it on the heap or static.
void judge_grade(const struct judge_job *, struct verdict *);
// How many times judge_grade calls job->step at the most; `coverage` as in the job.
int judge_steps(const struct lab *, int coverage);

#endif
