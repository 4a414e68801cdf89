// Checks that a student's image (compiled kernels) has the kernels, parameters and LAUNCH variables that the lab
// requires. Each function of judge_launch.h returns 0, or -1 with an error message for the student in `sentence`.
#ifndef JUDGE_JOB_JUDGE_LAUNCH_H
#define JUDGE_JOB_JUDGE_LAUNCH_H

#include "judge/job/runner.h"

// Reads the LAUNCH variable of each of the lab's kernels from the runner process, and checks the variable's values.
int judge_launch_read(struct judge_runner *, const struct lab *, struct lab_shape shape[LAB_KERNELS],
                      char sentence[OBSERVATION_MESSAGE]);
// Checks that the image contains the lab's kernels.
int judge_launch_check_kernels(const struct engine_image *, const struct lab *, char sentence[OBSERVATION_MESSAGE]);
// Checks that the launches of a test case's plan match the kernels' parameters and respect the device's limits.
int judge_launch_check_plan(const struct engine_image *, const struct lab_plan *, char sentence[OBSERVATION_MESSAGE]);
// Checks a kernel's launch shape, such as its block size, independently of any test case. `shared_most` is the most
// bytes of shared memory that a block can have.
int judge_launch_check(const struct lab_shape *, const char *kernel, uint32_t shared_most,
                       char sentence[OBSERVATION_MESSAGE]);

#endif
