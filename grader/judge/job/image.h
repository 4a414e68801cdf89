// Loads an image into a runner. Each image has its own runner. struct judge_image also contains the parameters and
// LAUNCH shapes of the image's kernels.
#ifndef JUDGE_JOB_IMAGE_H
#define JUDGE_JOB_IMAGE_H

#include "judge/job/reason.h"
#include "judge/job/runner.h"

// Describes a loaded image and the image's runner. Only the thread that started the image may use the struct.
struct judge_image {
    const struct judge_job *job;
    enum compile_image kind; // IMAGE_CARD: the runner holds a card; any other value: the runner simulates
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

// Starts a runner and loads the image. Returns 0. If the image or its launch shapes violate the lab's contract, returns
// -1 and stores the reason in image->sentence. Call judge_image_stop() after 0 and after -1.
int judge_image_start(struct judge_image *, const struct judge_job *, enum compile_image, const struct text *image);
// Ends the runner and frees the memory that the image owns. `sentence`, `refusal`, `lost` and runner.device stay valid.
void judge_image_stop(struct judge_image *);

// Checks the return value `answer` of a wire_*() function. Returns 0 if the runner carried out the command. Returns -1
// with image->sentence if the runner ended early. Calls die() if the lost runner held a card. Also calls die() if the
// runner refused the command, because a refused command is a mistake of the judge. `doing` completes an error message
// that ends in "while …".
int judge_image_must(struct judge_image *, int answer, const char *doing);
// Marks the image as an image that the engine cannot run. `message` is the engine's message. `undefined` is 1 if the
// image calls a function that is declared but not defined. Always returns -1.
int judge_image_unsupported(struct judge_image *, const char *message, int undefined);

// Makes the plan of a case for the image's launch shapes. The arena owns the plan's memory.
void judge_image_plan(const struct judge_image *, const struct lab_case *, struct lab_plan *, struct arena *);
// Returns the launch of a step. Buffer indices of the plan are replaced by the engine's indices from `engine`.
struct engine_launch judge_image_launch(const struct lab_step *, const int engine[LAB_BUFFERS]);

#endif
