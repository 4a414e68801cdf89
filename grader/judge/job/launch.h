// What the image says of its kernels, held against the lab's contract.
#ifndef JUDGE_JOB_LAUNCH_H
#define JUDGE_JOB_LAUNCH_H

#include "judge/job/runner.h"

// Reads LAUNCH of each of the lab's kernels. 0; or -1 with a sentence for the student.
int judge_shapes_read(struct judge_runner *, const struct lab *, struct lab_shape shape[LAB_KERNELS],
                      char sentence[OBSERVATION_MESSAGE]);
// The lab's kernels are in the image. 0 or -1, as above.
int judge_kernels_check(const struct engine_image *, const struct lab *, char sentence[OBSERVATION_MESSAGE]);
// The plan's launches fit the kernels' parameters and the device. 0 or -1, as above.
int judge_plan_check(const struct engine_image *, const struct lab_plan *, char sentence[OBSERVATION_MESSAGE]);
// A shape as such, whatever the case. 0 or -1, as above.
int judge_shape_check(const struct lab_shape *, const char *kernel, uint32_t shared_most,
                      char sentence[OBSERVATION_MESSAGE]);

#endif
