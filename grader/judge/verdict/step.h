// Defines a recorded block of a submission's kernel (engine/recording.h), with the findings that the recording shows.
#ifndef JUDGE_VERDICT_STEP_H
#define JUDGE_VERDICT_STEP_H

#include "engine/recording.h"
#include "judge/verdict/verdict.h"

// Says where a finding is in the recording: the step of the access or barrier that it names, or else the step in which
// it was found, and the step of the other access of a race, or of the other threads at a barrier. Steps that are not in
// the recording are 0.
struct verdict_shown {
    const struct verdict_finding *finding;
    uint32_t step, other_step;
    struct finding_place at, other; // the place of `step`, and of `other_step`: those of the finding, in this order
    int has_other;                  // 1: `other` is a place
    int has_cell;                   // 1: the finding is about an element of an array of the recording
    uint32_t slot, array;           // index of the recorded block, and of the array
    int64_t element;
};
struct verdict_step {
    const struct judge_job *job;
    const char *which;            // name of the test case, in English
    const char *kernel;           // name of the kernel
    uint32_t grid[3], threads[3]; // blocks of the grid, threads of a block
    struct text bytes;            // the recording; owned
    struct recording recording;
    struct verdict_findings findings; // of the recorded launch, sorted; finding.step is a step of the recording, or 0
    uint32_t nshown;                  // findings that the recording shows, the most important first
    struct verdict_shown shown[VERDICT_FINDINGS];
};
// Sets `shown` from the other fields.
void verdict_step_show(struct verdict_step *);
void verdict_step_free(struct verdict_step *);

// Returns the number in its block of a thread with the index `thread`.
uint32_t verdict_step_thread(const struct verdict_step *, const uint32_t thread[3]);

#endif
