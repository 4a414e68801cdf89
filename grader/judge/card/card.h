// Finds the GPU on which a submission is measured, and compiles the submission and the baseline (the lab's own slow
// kernels) for this GPU.
#ifndef JUDGE_CARD_CARD_H
#define JUDGE_CARD_CARD_H

#include "judge/job/job.h"
#include "wire/wire.h"

// Finds the GPU that the runner program job->card_runner opens. Returns 0 and stores the GPU's description in the
// second argument and its state in the third argument. Returns -1 with a sentence in `why` if there is no GPU.
int card_find(const struct judge_job *, struct wire_device *, struct engine_health *, char why[OBSERVATION_MESSAGE]);
// Compiles the job's submission and the lab's baseline for the GPU that card_find() finds. Stores the compiled images
// in `student` and `baseline`. Leaves `student` empty if the submission does not compile. Returns 0, or -1 with a
// sentence in `why` if there is no GPU.
int card_images(const struct judge_job *, struct text *student, struct text *baseline, char why[OBSERVATION_MESSAGE]);

#endif
