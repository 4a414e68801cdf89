// One submission's images on runners: correctness cases, and the speed case.
#ifndef JUDGE_TRIAL_H
#define JUDGE_TRIAL_H

#include "judge/judge.h"
#include "judge/runner.h"

// One image on one runner. Used by one thread alone.
struct trial {
    const struct judge_job *job;
    struct judge_runner runner;
    enum compile_image which;
    struct engine_image image;
    struct lab_shape shape[LAB_KERNELS];
    struct verdict_findings findings;
    // Why the image cannot be judged: a sentence for the student, empty if it can; and the verdict's `refusal`. What is
    // done with the trial from then on has no effect.
    char sentence[OBSERVATION_MESSAGE];
    const char *refusal;
    int lost;      // 1: its runner ended early
    int endless;   // a launch ran out of its budget: the next ones get less
    uint64_t left; // warp instructions that the launches to come may take in all; at least 1
    struct text print;
    struct observation *observation; // scratch; owned
    // What the cases executed: correctness cases that may be shown; hidden ones, and the speed case. Owned.
    struct coverage *shown, *unshown;
};
struct trial_outcome {
    enum case_result result;
    char message[OBSERVATION_MESSAGE];
    int buffer;   // WRONG: the first wrong output, index in the plan
    int launched; // 1: the device took at least one of its launches
    struct lab_comparison comparison;
    uint64_t inst;    // warp instructions that it took
    uint64_t outputs; // hash of all outputs' bits; 0: none were compared
};

// Starts a runner and loads the image (IMAGE_CARD: on a card). 0; or -1 with trial->sentence (the image or its launches
// are not what the contract asks). Stop it in both cases.
int trial_start(struct trial *, const struct judge_job *, enum compile_image, const struct text *image);
void trial_stop(struct trial *);

// Every use of the wire ends here. 0; or -1 when the runner is lost, and then trial->sentence says so (a card's: ends
// the program). What is refused is a mistake of ours, and ends the program. `doing` completes "while …".
int trial_must(struct trial *, int answer, const char *doing);
// The launch as the engine is to see it: the plan's buffers by the engine's indices.
struct engine_launch trial_launch(const struct lab_step *, const int engine[LAB_BUFFERS]);

// Makes the plan of a case for the trial's shapes; its memory is the arena's.
void trial_plan(const struct trial *, const struct lab_case *, struct lab_plan *, struct arena *);
// In which order the case's threads run: seed 0 in ascending order, blocks and warps shuffled by another seed, and with
// `stray` the lanes of a warp as well. `again`: the case was run before, so what it executes is not counted.
struct trial_order {
    uint64_t seed;
    int stray, again;
};
// Runs one correctness case. `index` is its place in the lab's cases; findings go to trial->findings.
void trial_run(struct trial *, uint32_t index, struct trial_order, struct trial_outcome *);

// The speed case, sampled (speed.c).
struct speed_run {
    struct arena arena; // the plan's
    struct lab_plan plan;
    int engine[LAB_BUFFERS];               // the engine's indices of the plan's buffers
    struct observation *last[LAB_KERNELS]; // last launch of each kernel, zeroed where there was none; owned
    uint64_t kernel_ps[LAB_KERNELS];
    struct counters sum;
    uint64_t time_ps;
    int sampled;
    char problem[OBSERVATION_MESSAGE]; // not empty: it did not run to its end
};
void trial_speed(struct trial *, struct speed_run *);
// Looks at what it left in its outputs, behind trial_speed on the same trial: run->problem when the work was not done.
void trial_work(struct trial *, struct speed_run *);
// 1: the whole case did more of anything than the sample had led to expect.
int speed_did_more(const struct counters *whole, const struct counters *expected);
void speed_run_free(struct speed_run *);

#endif
