// The result of a measurement on a card.
#ifndef JUDGE_CARD_MEASUREMENT_H
#define JUDGE_CARD_MEASUREMENT_H

#include "engine/observation.h"
#include "judge/card/sign.h"
#include "lab/lab.h"
#include "wire/wire.h"

// How a measurement on a card ended.
enum measure_end {
    MEASURE_NONE,       // nothing was measured
    MEASURE_DONE,       // the measurement counts
    MEASURE_UNRELIABLE, // the card was throttled, busy or full; the model's time counts
    MEASURE_REFUSED,    // the card refused a launch, or stopped it
    MEASURE_WRONG,      // an output of a timed iteration is wrong
};
struct measurement {
    enum measure_end end;
    char message[OBSERVATION_MESSAGE];
    struct wire_device card;
    struct engine_health health; // after the measurement
    uint32_t tries, trials;      // attempts, and paired trials of the last one
    struct sign_test test;
    enum sign_answer answer;
    double ratio, ratio_low, ratio_high; // baseline / student, of trials: median, 5th and 95th percentile
    uint64_t student_ps, baseline_ps;    // medians of iterations
    double ratio_of[SIGN_TRIALS_MOST];   // of each trial
    int buffer;                          // MEASURE_WRONG: index of the wrong output in the plan
    struct lab_comparison comparison;
};

#endif
