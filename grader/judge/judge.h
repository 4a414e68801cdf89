// The judge: makes a verdict from a submission.
//
//   source → compile → images → runner → observations → verdict
//
// The judge never loads a student's image, and it trusts only what it can check. It compares outputs on its own copies,
// reads guard zones and inputs back, and quotes source lines from its own copy of the source. A verdict is data;
// report/ prints it. Faults of the machine or of the grader end in die() with exit code 2, never in a verdict.
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include "judge/job/job.h"
#include "judge/verdict/verdict.h"

// Grades a submission. Free the verdict with verdict_free(). It is large: keep it on the heap or static.
void judge_grade(const struct judge_job *, struct verdict *);
// Returns how many times judge_grade() calls job->step at most; `coverage` as in the job.
int judge_steps(const struct lab *, int coverage);

#endif
