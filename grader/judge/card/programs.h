// The speed of a host lab's program on cards: it and the baseline sit the lab's exam in rounds, in turn, and every
// output that was timed is compared.
#ifndef JUDGE_CARD_PROGRAMS_H
#define JUDGE_CARD_PROGRAMS_H

#include "judge/card/measurement.h"
#include "judge/job/job.h"

struct programs_spec {
    const char *student, *baseline; // paths of the programs
    const struct text *image;       // the given kernel's PTX
    double share;                   // of the numbers that the student's host computes itself, as simulated devices saw
};
// Dies only when the machine or we are at fault. out[0].card stays empty where there is no card. `times`: as for
// judge_measure (measure.h).
void programs_measure(const struct judge_job *, const struct programs_spec *, struct measurement out[], uint32_t times);

#endif
