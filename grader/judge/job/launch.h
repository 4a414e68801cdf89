// Checks an image and its LAUNCH variables against the lab's contract. Each function of this header returns 0 or -1. If
// the result is -1, `sentence` contains an error message for the student.
#ifndef JUDGE_JOB_LAUNCH_H
#define JUDGE_JOB_LAUNCH_H

#include "judge/job/runner.h"

// Reads the LAUNCH variable of each of the lab's kernels from the runner and checks the variable.
int judge_launch_read(struct judge_runner *, const struct lab *, struct lab_shape shape[LAB_KERNELS],
                      char sentence[OBSERVATION_MESSAGE]);
// Checks that the image contains the lab's kernels.
int judge_launch_check_kernels(const struct engine_image *, const struct lab *, char sentence[OBSERVATION_MESSAGE]);
// Checks that the plan's launches match the kernels' parameters and respect the device's limits.
int judge_launch_check_plan(const struct engine_image *, const struct lab_plan *, char sentence[OBSERVATION_MESSAGE]);
// Checks a launch shape independently of any case. `shared_most` is the most bytes of shared memory that a block can
// have.
int judge_launch_check(const struct lab_shape *, const char *kernel, uint32_t shared_most,
                       char sentence[OBSERVATION_MESSAGE]);

#endif
