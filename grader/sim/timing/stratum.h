// Divides a grid of blocks into strata, boxes of blocks with equal counters. The simulator runs a sample of the blocks
// of each stratum.
#ifndef SIM_TIMING_STRATUM_H
#define SIM_TIMING_STRATUM_H

#include <stdint.h>

#include "engine/observation.h"

enum { STRATUM_CUTS = 2, STRATA_MOST = 27 };

struct stratum {                  // a box of blocks
    uint32_t first[3], extent[3]; // first block and number of blocks, for each dimension
};
struct strata {
    uint32_t count;
    int exact;                           // 1: the grid is divided wherever the counters of the tried blocks change
    struct stratum stratum[STRATA_MOST]; // ordered by size, the largest first; together the strata cover the grid
};

// Describes the callback by which stratum_find() runs one block by itself. The callback weigh() adds the counts of
// block `block` to the struct counters. The callback weigh() returns 0, or -1 if the block cannot run by itself.
struct stratum_probe {
    int (*weigh)(void *data, uint64_t block, struct counters *);
    void *data;
    uint32_t most; // maximum number of blocks to run for each dimension of the grid
};
// Divides a grid into strata, i.e. boxes of blocks with equal counters. Does not divide a dimension of the grid if the
// counters of the blocks change too often along this dimension, or if blocks cannot be run by themselves. If
// stratum_find() divides no dimension of the grid, the whole grid is the only stratum.
void stratum_find(struct strata *, const uint32_t grid[3], const struct stratum_probe *);

// Returns the number of blocks in a stratum (a box of blocks with equal counters).
uint64_t stratum_blocks(const struct stratum *);
// Returns the linear index in the grid of block number `at` of a stratum (a box of blocks with equal counters). Within
// a stratum, blocks are numbered like the blocks of a grid, with the x dimension fastest.
uint64_t stratum_block(const struct stratum *, const uint32_t grid[3], uint64_t at);

#endif
