// What the speed case showed of a submission's kernels, line by line: for whoever wants to see more than a grade.
#ifndef JUDGE_LOOK_H
#define JUDGE_LOOK_H

#include "base/text.h"
#include "lab/lab.h"
#include "wire/wire.h"

struct judge_job;
struct speed_run;

struct look_kernel {
    const char *name;
    uint64_t time_ps; // all its launches
    uint32_t grid[3], block[3];
    struct observation *seen; // its last launch; owned; never NULL
};
struct look {
    struct wire_device device;
    uint32_t nkernels; // those that were launched; 0: nothing was seen
    struct look_kernel kernel[LAB_KERNELS];
    const char *buffer[ENGINE_BUFFERS]; // names of the engine's buffers, as in the parameter list; NULL: none
};

// Compiles the job's source and runs the speed case, right or wrong, and nothing else. 0; or -1 with what is wrong with
// the source in why (the compiler's words, or a sentence).
int judge_look(const struct judge_job *, struct look *, struct text *why);
void look_free(struct look *);

// For the judge: takes what a speed run saw, which loses it.
void look_take(struct look *, const struct lab *, const struct wire_device *, struct speed_run *);

#endif
