// Grades submissions of host labs. In a host lab, students write host code instead of kernels (struct lab_host).
#ifndef JUDGE_HOST_HOST_GRADE_H
#define JUDGE_HOST_HOST_GRADE_H

#include "judge/verdict/grading.h"

// Compiles the submission with the lab's main() to an executable program, and runs the program in each test case. Fills
// the verdict except for the score and the advice (verdict->next).
void host_grade(struct grading *);
// Returns an upper bound on how many steps of progress host_grade() reports.
int host_steps(const struct lab *);
// Compiles the job's submission and runs only the lab's speed case, the test case whose time is measured. Does not
// check whether the program's outputs are right. Stores the program's findings and verdict->program in the verdict.
// Free the verdict with verdict_free(). Returns 0, or -1 if the program does not build or does not reach its end. If
// the result is -1, stores the compiler's errors or a sentence in `why`.
int host_profile(const struct judge_job *, struct verdict *, struct text *why);
// Compiles the job's submission and measures the program on GPUs up to `times` times (card/programs.h). Stores the
// results of the measurements in `out`. Returns 0, or -1 with the compiler's errors in `why` if the program does not
// build.
int host_measure(const struct judge_job *, struct measurement out[], uint32_t times, struct text *why);

#endif
