// The parts of a grid whose blocks count alike: what is sampled of each stands for that part alone.
#ifndef SIM_TIMING_STRATUM_H
#define SIM_TIMING_STRATUM_H

#include <stdint.h>

#include "engine/observation.h"

enum { STRATUM_CUTS = 2, STRATA_MOST = 27 };

struct stratum { // a box of blocks
    uint32_t first[3], extent[3];
};
struct strata {
    uint32_t count;
    struct stratum stratum[STRATA_MOST]; // the largest first; together the grid
};

// Who runs a block by itself and tells what it counted. 0, or -1: that does not work.
struct stratum_probe {
    int (*weigh)(void *data, uint64_t block, struct counters *);
    void *data;
    uint32_t most; // blocks that may be weighed for each dimension of the grid
};
// One part, the whole grid, where no more is to be found.
void strata_find(struct strata *, const uint32_t grid[3], const struct stratum_probe *);

uint64_t stratum_blocks(const struct stratum *);
// The grid's block (x fastest) that is number `at` of the part, in the same order.
uint64_t stratum_block(const struct stratum *, const uint32_t grid[3], uint64_t at);

#endif
