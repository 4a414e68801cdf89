// The speed of a host lab's program on cards: it and the baseline sit the lab's exam in rounds, in turn, and every
// output that was timed is compared.
#ifndef JUDGE_ROUNDS_H
#define JUDGE_ROUNDS_H

#include "judge/judge.h"

struct rounds_spec {
    const char *student, *baseline; // paths of the programs
    const struct text *image;       // the given kernel's PTX
    double share;                   // of the numbers that the student's host computes itself, as simulated devices saw
};
// Dies only when the machine or we are at fault. out[0].card stays empty where there is no card. `times`: as for
// judge_measure (measure.h).
void judge_rounds(const struct judge_job *, const struct rounds_spec *, struct measurement out[], uint32_t times);

#endif
