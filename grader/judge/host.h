// Host labs: the student's program is compiled, sits every case, and its record is judged.
#ifndef JUDGE_HOST_H
#define JUDGE_HOST_H

#include "judge/judge.h"

// As judge_grade, of a lab with `host`; the verdict's head (job, compiler, thresholds) is filled in.
void judge_host_grade(const struct judge_job *, struct verdict *);
// Runs the program in the speed case, right or wrong, and nothing else: of the verdict there are findings and program.
// Free it. 0; or -1 with what is wrong in why (the compiler's words, or a sentence).
int judge_host_look(const struct judge_job *, struct verdict *, struct text *why);
// The speed of the job's program on cards, and nothing else (judge/rounds.h). 0; or -1 with what is wrong in why.
int judge_host_measure(const struct judge_job *, struct measurement out[], uint32_t times, struct text *why);

#endif
