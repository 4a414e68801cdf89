// Grading of labs whose submission is host code (lab_host).
#ifndef JUDGE_HOST_HOST_H
#define JUDGE_HOST_HOST_H

#include "judge/verdict/grading.h"

// Compiles the submission with the lab's main() to a program, runs it in each case, and fills the verdict up to score
// and next.
void host_grade(struct grading *);
// Returns how many steps of progress host_grade() reports at most.
int host_steps(const struct lab *);
// Runs the job's program in the speed case, right or wrong, and nothing else: the verdict gets findings and program.
// Free the verdict. Returns 0; or -1 with what is wrong in `why` (the compiler's words, or a sentence).
int host_profile(const struct judge_job *, struct verdict *, struct text *why);
// Measures the job's program on cards, and nothing else (card/programs.h). Returns 0; or -1 with what is wrong in
// `why`.
int host_measure(const struct judge_job *, struct measurement out[], uint32_t times, struct text *why);

#endif
