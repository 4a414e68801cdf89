// Implements card.h with a runner process that opens the GPU and reports its description.
#include "judge/card/card.h"

#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/text.h"
#include "judge/card/lock.h"
#include "judge/job/judge_baseline.h"
#include "judge/job/runner.h"

int card_find(const struct judge_job *job, struct wire_device *card, struct engine_health *health,
              char why[OBSERVATION_MESSAGE])
{
    struct judge_runner r;
    int lock = card_lock_take(job->card), none = judge_runner_try(&r, job, 1);
    if (none) {
        snprintf(why, OBSERVATION_MESSAGE, "%s", r.wire.message);
    } else {
        *card = r.device;
        if (wire_health(&r.wire, health)) judge_runner_broken(&r, "the card was asked for its state");
    }
    judge_runner_stop(&r);
    card_lock_release(lock);
    return none ? -1 : 0;
}

int card_images(const struct judge_job *job, struct text *student, struct text *baseline, char why[OBSERVATION_MESSAGE])
{
    struct wire_device card;
    struct engine_health health;
    struct compiler compiler = *job->compiler;
    struct compile_result result;
    if (card_find(job, &card, &health, why)) return -1;
    if (job->card_title && strcmp(job->card_title, card.title) != 0)
        die("the thresholds were calibrated for %s, and the card is %s: run './grade calibrate'", job->card_title,
            card.title);
    compiler.capability = card.capability;
    judge_baseline_image(job, &compiler, IMAGE_CARD, baseline);
    compile_source(&compiler, job->source, job->bytes, job->shown, job->kit, 1u << IMAGE_CARD, &result);
    if (result.status == COMPILE_FAILED) die("%s", result.messages.data);
    if (result.status == COMPILED) text_add(student, result.image[IMAGE_CARD].data, result.image[IMAGE_CARD].length);
    compile_result_free(&result);
    return 0;
}
