// The speed on a card: baseline and student measured against each other, and every output that was timed compared.
#ifndef JUDGE_CARD_KERNELS_H
#define JUDGE_CARD_KERNELS_H

#include "judge/card/measurement.h"
#include "judge/job/job.h"

// Measures the lab's speed case with two runners that hold a card. `student` and `baseline` are images for it (cubin,
// or PTX). Dies only when the machine or we are at fault. A grading measures once. Whoever asks how steady the answer
// is gets more measurements by the same runners, up to the first that does not end well, in whose launches nothing is
// changed or compared any more.
void kernels_measure(const struct judge_job *, const struct text *student, const struct text *baseline,
                     struct measurement out[], uint32_t times);
#endif
