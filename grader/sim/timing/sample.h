// One real request of each memory access, for pictures: of the launch's first block, the one that is worst for the
// memory it goes to.
#ifndef SIM_TIMING_SAMPLE_H
#define SIM_TIMING_SAMPLE_H

#include "engine/observation.h"
#include "sim/core/memory.h"

struct sample_set {
    uint32_t block[3]; // whose they are
    uint32_t count;    // [plan->nmemory]
    struct sample {
        struct sim_access access; // mask 0: none was seen
        uint32_t warp, excess;
    } * of;
};

// Makes room for `count` memory accesses of the program, and forgets what was there.
void sample_begin(struct sample_set *, uint32_t count);
void sample_free(struct sample_set *);
// The access number `which` of the program goes to memory with these lanes and addresses.
void sample_take(struct sample_set *, const struct sim_warp *, uint32_t which, const struct sim_access *);
// Writes them to the observation, by line.
void sample_observe(const struct sample_set *, const struct sim_launch *, struct observation *);

#endif
