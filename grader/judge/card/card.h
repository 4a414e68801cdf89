// Finds the card on which a job is measured, and compiles images for the card.
#ifndef JUDGE_CARD_CARD_H
#define JUDGE_CARD_CARD_H

#include "judge/job/job.h"
#include "wire/wire.h"

// Finds the card that is opened by the runner job->card_runner. Returns 0 and stores the card's description and state
// in the second and third argument. Returns -1 with a sentence in `why` if there is no card.
int card_find(const struct judge_job *, struct wire_device *, struct engine_health *, char why[OBSERVATION_MESSAGE]);
// Compiles the job's source and baseline for the card that is opened by the runner job->card_runner. `student` and
// `baseline` receive the images. `student` stays empty if the source does not compile. Returns 0, or -1 with a sentence
// in `why` if there is no card.
int card_images(const struct judge_job *, struct text *student, struct text *baseline, char why[OBSERVATION_MESSAGE]);

#endif
