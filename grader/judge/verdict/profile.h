// Defines the profile of a submission: the counters of each kernel in the speed case, in total and for each source
// line.
#ifndef JUDGE_VERDICT_PROFILE_H
#define JUDGE_VERDICT_PROFILE_H

#include "base/bundle.h"
#include "engine/engine.h"
#include "lab/lab.h"
#include "wire/wire.h"

struct profile_kernel {
    const char *name;
    uint64_t time_ps; // time of all launches of the kernel, in picoseconds
    uint32_t grid[3], block[3];
    struct observation *seen; // observation of the kernel's last launch; owned; never NULL
};
struct profile {
    struct wire_device device;
    uint32_t nkernels; // kernels that were launched; 0: the profile is empty
    struct profile_kernel kernel[LAB_KERNELS];
    struct bundle source;               // the submission's text, in which messages look up lines
    const char *buffer[ENGINE_BUFFERS]; // names of the engine's buffers, as in the kernels' parameter lists; NULL: none
};

// Frees the observations that the profile owns. The struct profile itself belongs to the caller.
void profile_free(struct profile *);

#endif
