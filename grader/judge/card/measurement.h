// What a measurement on a card brought.
#ifndef JUDGE_CARD_MEASUREMENT_H
#define JUDGE_CARD_MEASUREMENT_H

#include "engine/observation.h"
#include "judge/card/sign.h"
#include "lab/lab.h"
#include "wire/wire.h"

// How a measurement on a card ended.
enum measure_end {
    MEASURE_NONE,       // there was none
    MEASURE_DONE,       // it counts
    MEASURE_UNRELIABLE, // the card was throttled, busy or full: the model's time counts
    MEASURE_REFUSED,    // the card refused a launch, or stopped it
    MEASURE_WRONG,      // an output that was timed is wrong
};
struct measurement {
    enum measure_end end;
    char message[OBSERVATION_MESSAGE];
    struct wire_device card;
    struct engine_health health; // after it
    uint32_t tries, blocks;
    struct sign_test test;
    enum sign_answer answer;
    double ratio, ratio_low, ratio_high; // of blocks: median, 5th and 95th percentile
    uint64_t student_ps, baseline_ps;    // medians of launches
    double ratio_of[SIGN_BLOCKS_MOST];
    int buffer; // WRONG: index in the plan
    struct lab_comparison comparison;
};

#endif
