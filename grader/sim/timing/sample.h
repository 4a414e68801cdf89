// Keeps one real request of each memory access in a kernel, from which reports show the lanes' addresses as a picture.
// Of all requests that the launch's first block made for a memory access, the most expensive request is kept.
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
// Compares a new request of the program's memory access number `which` with the request kept for this memory access,
// and keeps the more expensive of the two.
void sample_take(struct sample_set *, const struct sim_warp *, uint32_t which, const struct sim_access *);
// Writes the samples to the observation, sorted by source line.
void sample_observe(const struct sample_set *, const struct sim_launch *, struct observation *);

#endif
