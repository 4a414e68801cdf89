// A profile: counters of a submission's kernels in the speed case, line by line.
#ifndef JUDGE_VERDICT_PROFILE_H
#define JUDGE_VERDICT_PROFILE_H

#include "engine/engine.h"
#include "lab/lab.h"
#include "wire/wire.h"

struct profile_kernel {
    const char *name;
    uint64_t time_ps; // of all its launches
    uint32_t grid[3], block[3];
    struct observation *seen; // of its last launch; owned; never NULL
};
struct profile {
    struct wire_device device;
    uint32_t nkernels; // kernels that were launched; 0: the profile is empty
    struct profile_kernel kernel[LAB_KERNELS];
    const char *buffer[ENGINE_BUFFERS]; // names of the engine's buffers, as in the kernels' parameter lists; NULL: none
};

void profile_free(struct profile *);

#endif
