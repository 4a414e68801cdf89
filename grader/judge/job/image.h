// An image that was loaded into a runner of its own, with what the judge knows of its kernels.
#ifndef JUDGE_JOB_IMAGE_H
#define JUDGE_JOB_IMAGE_H

#include "judge/job/reason.h"
#include "judge/job/runner.h"

// Used by one thread alone: the one that started it.
struct judge_image {
    const struct judge_job *job;
    enum compile_image kind; // IMAGE_CARD: the runner holds a card; else the simulator
    struct judge_runner runner;
    struct engine_image loaded;          // its kernels, with their parameters
    struct lab_shape shape[LAB_KERNELS]; // LAUNCH of each of the lab's kernels
    // Why the image cannot be judged: a sentence for the student, empty if it can be; and the reason of the verdict.
    // Calls on an image that cannot be judged have no effect.
    char sentence[OBSERVATION_MESSAGE];
    enum reason refusal;
    int lost;                        // 1: its runner ended early
    struct observation *observation; // scratch; owned
};

// Starts a runner and loads the image. Returns 0, or -1 with image->sentence when the image or its launches are not
// what the lab's contract asks. Stop it in both cases.
int judge_image_start(struct judge_image *, const struct judge_job *, enum compile_image, const struct text *image);
// Ends the runner and frees what the image owns. `sentence`, `refusal`, `lost` and the runner's device stay.
void judge_image_stop(struct judge_image *);

// Takes the answer of a wire_*() call. Returns 0, or -1 with image->sentence when the runner is lost. A lost runner
// that holds a card ends the program, and so does a refused command, which is a mistake of the judge. `doing` completes
// "while …".
int judge_image_must(struct judge_image *, int answer, const char *doing);
// Notes that the engine cannot run the image; `message` is the engine's. `undefined`: it calls a function that is
// declared and not defined. Always -1.
int judge_image_unsupported(struct judge_image *, const char *message, int undefined);

// Makes the plan of a case for the image's launch shapes. The plan's memory is the arena's.
void judge_image_plan(const struct judge_image *, const struct lab_case *, struct lab_plan *, struct arena *);
// Returns the step's launch with the engine's buffer indices in place of the plan's.
struct engine_launch judge_image_launch(const struct lab_step *, const int engine[LAB_BUFFERS]);

#endif
