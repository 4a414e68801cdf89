// Loads an image (a submission's compiled kernels) into a runner process. Each image (a submission's compiled kernels)
// has its own runner process. The struct judge_image also contains the parameters and launch shapes (from the macro
// LAUNCH) of the image's kernels.
#ifndef JUDGE_JOB_JUDGE_IMAGE_H
#define JUDGE_JOB_JUDGE_IMAGE_H

#include "judge/job/reason.h"
#include "judge/job/runner.h"

// Describes a loaded image (compiled kernels) and its runner process. Only the thread that called judge_image_start()
// may use the struct judge_image.
struct judge_image {
    const struct judge_job *job;
    enum compile_image kind; // IMAGE_CARD: the runner holds a GPU; any other value: the runner simulates
    struct judge_runner runner;
    struct engine_image loaded;          // the kernels of the image, with their parameters
    struct lab_shape shape[LAB_KERNELS]; // the LAUNCH shape of each of the lab's kernels
    // `sentence` tells the student why the image cannot be judged, and `refusal` is the verdict's reason. `sentence` is
    // empty if the image can be judged. Functions called on an image that cannot be judged have no effect.
    char sentence[OBSERVATION_MESSAGE];
    enum reason refusal;
    int lost;                        // 1: the runner ended early
    struct observation *observation; // scratch memory for the result of a launch; owned by the image
};

// Starts a runner process and loads the image into it. Returns 0. If the image or its launch shapes violate the lab's
// contract, returns -1 and stores the reason in image->sentence. Call judge_image_stop() even if judge_image_start()
// returns -1.
int judge_image_start(struct judge_image *, const struct judge_job *, enum compile_image, const struct text *image);
// Ends the runner process and frees the memory that the struct judge_image owns. The fields `sentence`, `refusal`,
// `lost` and runner.device stay valid after judge_image_stop().
void judge_image_stop(struct judge_image *);

// Checks `answer`, the return value of a wire_*() function that sent a command to the runner process. Returns 0 if the
// runner process carried out the command. Returns -1 with a sentence in image->sentence if the runner process ended
// early. Calls die() if a runner process that used a GPU ended early. Also calls die() if the runner process refused
// the command, because a refused command is a mistake of the judge. `doing` completes an error message that ends in
// "while …".
int judge_image_must(struct judge_image *, int answer, const char *doing);
// Marks the image (a submission's compiled kernels) as one that the engine, the simulator or GPU, cannot run. `message`
// is the message of the engine (simulator or GPU) about the feature that the image uses and the engine does not
// support. `undefined` is 1 if the image calls a function that is declared but not defined. Always returns -1.
int judge_image_unsupported(struct judge_image *, const char *message, int undefined);

// Begin and end a part of the grading for job->timing (base/stopwatch.h). The image's runner process works for the
// part.
struct stopwatch_lap judge_image_begin(const struct judge_image *);
void judge_image_end(const struct judge_image *, const struct stopwatch_lap *, const char *phase, const char *detail);

// Makes a struct lab_plan, the list of a test case's buffers and kernel launches, for the launch shapes of the image.
// The arena owns all memory to which the struct lab_plan points.
void judge_image_plan(const struct judge_image *, const struct lab_case *, struct lab_plan *, struct arena *);
// Returns the kernel launch that a struct lab_step describes, in the form that the engine (simulator or GPU) needs. If
// an argument of the struct lab_step names buffer i of the test case's plan, the argument of the returned launch names
// buffer engine[i] of the engine.
struct engine_launch judge_image_launch(const struct lab_step *, const int engine[LAB_BUFFERS]);

#endif
