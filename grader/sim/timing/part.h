// The parts of a grid whose blocks count alike: what is sampled of each stands for that part alone.
#ifndef SIM_TIMING_PART_H
#define SIM_TIMING_PART_H

#include <stdint.h>

#include "engine/observation.h"

enum { PART_CUTS = 2, PARTS_MOST = 27 };

struct part { // a box of blocks
    uint32_t first[3], extent[3];
};
struct parts {
    uint32_t count;
    struct part part[PARTS_MOST]; // the largest first; together the grid
};

// Who runs a block by itself and tells what it counted. 0, or -1: that does not work.
struct part_scale {
    int (*weigh)(void *data, uint64_t block, struct counters *);
    void *data;
    uint32_t most; // blocks that may be weighed for each dimension of the grid
};
// One part, the whole grid, where no more is to be found.
void parts_find(struct parts *, const uint32_t grid[3], const struct part_scale *);

uint64_t part_blocks(const struct part *);
// The grid's block (x fastest) that is number `at` of the part, in the same order.
uint64_t part_block(const struct part *, const uint32_t grid[3], uint64_t at);

#endif
