// The speed on a card: baseline and student measured against each other, and every output that was timed compared.
#ifndef JUDGE_MEASURE_H
#define JUDGE_MEASURE_H

#include "judge/judge.h"

// Measures the lab's speed case with two runners that hold a card. `student` and `baseline` are images for it (cubin,
// or PTX). Dies only when the machine or we are at fault. A grading measures once. Whoever asks how steady the answer
// is gets more measurements by the same runners, up to the first that does not end well, in whose launches nothing is
// changed or compared any more.
void judge_measure(const struct judge_job *, const struct text *student, const struct text *baseline,
                   struct measurement out[], uint32_t times);
// Images of the job's source and of its baseline for the card that job->card_runner finds; `student` stays empty when
// the source does not compile. 0; or -1 with a sentence in why: there is no card.
int judge_card_images(const struct judge_job *, struct text *student, struct text *baseline,
                      char why[OBSERVATION_MESSAGE]);
// The name of the card that job->card_runner finds, and its facts. 0; or -1 with a sentence in why: there is none.
int judge_card(const struct judge_job *, struct wire_device *, struct engine_health *, char why[OBSERVATION_MESSAGE]);

#endif
