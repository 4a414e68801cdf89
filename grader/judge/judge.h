// Defines the interface of the judge, which grades a submission and stores the result in a verdict.
//
//   source → compile → images → runner → observations → verdict
//
// The judge never loads a student's code into its own process, and trusts only data that it can check. The judge
// compares outputs with its own copies of the expected values. To find forbidden writes, the judge also reads inputs
// and the guard zones around buffers back from the device. Reports quote source lines from the judge's own copy of the
// submission. A verdict is plain data, which the functions of report/ print. A fault of the machine or of the grader
// ends in die() with exit code 2, never in a verdict.
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include "judge/job/job.h"
#include "judge/verdict/verdict.h"

// Grades a submission and fills the verdict. Free the verdict with verdict_free(). The struct verdict is too large for
// the stack, so allocate it on the heap or statically.
void judge_grade(const struct judge_job *, struct verdict *);
// Returns an upper bound on how many times judge_grade() calls job->step, which reports progress. `coverage` has the
// same meaning as the field `coverage` of struct judge_job.
int judge_steps(const struct lab *, int coverage);

#endif
