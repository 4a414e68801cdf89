// The judge grades a submission and stores the result in a verdict.
//
//   source → compile → images → runner → observations → verdict
//
// The judge never loads a student's image into its own process, and the judge trusts only data that the judge can
// check. The judge compares outputs with its own copies of the expected values. The judge also reads guard zones and
// inputs back from the device. Reports quote source lines from the judge's own copy of the source. A verdict is plain
// data, and report/ prints the verdict. A fault of the machine or of the grader ends in die() with exit code 2, never
// in a verdict.
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include "judge/job/job.h"
#include "judge/verdict/verdict.h"

// Grades a submission and fills the verdict. Free the verdict with verdict_free(). The struct is too large for the
// stack, so allocate the struct on the heap or statically.
void judge_grade(const struct judge_job *, struct verdict *);
// Returns an upper bound on how many times judge_grade() calls job->step. `coverage` has the meaning of
// judge_job.coverage.
int judge_steps(const struct lab *, int coverage);

#endif
