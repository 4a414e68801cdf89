// Defines the result of measuring a submission's speed on a real GPU.
#ifndef JUDGE_CARD_MEASUREMENT_H
#define JUDGE_CARD_MEASUREMENT_H

#include "engine/observation.h"
#include "judge/card/sign.h"
#include "lab/lab.h"
#include "wire/wire.h"

// Lists the ways in which a speed measurement on a GPU can end.
enum measure_end {
    MEASURE_NONE,       // nothing was measured
    MEASURE_DONE,       // the measurement counts
    MEASURE_UNRELIABLE, // the GPU was throttled, busy or full; the simulator's time counts
    MEASURE_REFUSED,    // the GPU refused a launch, or a launch failed on the GPU
    MEASURE_WRONG,      // an output of a timed iteration is wrong
};
struct measurement {
    enum measure_end end;
    char message[OBSERVATION_MESSAGE];
    struct wire_device card;
    struct engine_health health; // state of the GPU after the measurement
    uint32_t tries, trials;      // number of attempts; number of paired trials of the last attempt
    struct sign_test test;
    enum sign_answer answer;
    // baseline time / student time over all trials: median, 5th and 95th percentile
    double ratio, ratio_low, ratio_high;
    uint64_t student_ps, baseline_ps;  // median time of an iteration, in picoseconds
    double ratio_of[SIGN_TRIALS_MOST]; // baseline time / student time of each trial
    int buffer;                        // MEASURE_WRONG: index of the wrong output buffer in the plan
    struct lab_comparison comparison;
};

#endif
