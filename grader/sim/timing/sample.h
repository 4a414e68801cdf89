// Keeps one real request of each memory access in a kernel, from which reports draw the lanes' addresses. The kept
// request is the most expensive request that the launch's first block made for that access.
#ifndef SIM_TIMING_SAMPLE_H
#define SIM_TIMING_SAMPLE_H

#include "engine/observation.h"
#include "sim/core/access.h"
#include "sim/core/launch.h"

struct sample_set {
    uint32_t block[3]; // index of the block that made the requests
    uint32_t count;    // [plan->nmemory]
    struct sample {
        struct sim_access access; // mask 0: no request was seen
        uint32_t warp, excess;
    } * of;
};

// Allocates samples for `count` memory accesses of the program, and removes the samples of an earlier launch.
void sample_begin(struct sample_set *, uint32_t count);
void sample_free(struct sample_set *);
// Keeps this request of the program's access number `which` if the request costs more than the request kept so far.
void sample_take(struct sample_set *, const struct sim_warp *, uint32_t which, const struct sim_access *);
// Writes the samples to the observation, sorted by source line.
void sample_observe(const struct sample_set *, const struct sim_launch *, struct observation *);

#endif
