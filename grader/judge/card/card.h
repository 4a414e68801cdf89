// The card that a job is measured on.
#ifndef JUDGE_CARD_CARD_H
#define JUDGE_CARD_CARD_H

#include "judge/job/job.h"
#include "wire/wire.h"

// Finds the card of job->card_runner. Returns 0 with its device and state; or -1 with a sentence in `why`: there is
// none.
int card_find(const struct judge_job *, struct wire_device *, struct engine_health *, char why[OBSERVATION_MESSAGE]);
// Compiles the job's source and its baseline for the card of job->card_runner. `student` stays empty when the source
// does not compile. Returns 0; or -1 with a sentence in `why`: there is no card.
int card_images(const struct judge_job *, struct text *student, struct text *baseline, char why[OBSERVATION_MESSAGE]);

#endif
