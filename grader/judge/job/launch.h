// Checks an image and its LAUNCH variables against the lab's contract. Each function returns 0, or -1 with a sentence
// for the student.
#ifndef JUDGE_JOB_LAUNCH_H
#define JUDGE_JOB_LAUNCH_H

#include "judge/job/runner.h"

// Reads and checks LAUNCH of each of the lab's kernels.
int judge_launch_read(struct judge_runner *, const struct lab *, struct lab_shape shape[LAB_KERNELS],
                      char sentence[OBSERVATION_MESSAGE]);
// Checks that the lab's kernels are in the image.
int judge_launch_check_kernels(const struct engine_image *, const struct lab *, char sentence[OBSERVATION_MESSAGE]);
// Checks that the plan's launches fit the kernels' parameters and the device.
int judge_launch_check_plan(const struct engine_image *, const struct lab_plan *, char sentence[OBSERVATION_MESSAGE]);
// Checks a launch shape alone, for any case. `shared_most`: bytes of shared memory that a block can have.
int judge_launch_check(const struct lab_shape *, const char *kernel, uint32_t shared_most,
                       char sentence[OBSERVATION_MESSAGE]);

#endif
