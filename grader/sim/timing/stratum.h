// Divides a grid into strata: boxes of blocks with equal counters, each of which is sampled by itself.
#ifndef SIM_TIMING_STRATUM_H
#define SIM_TIMING_STRATUM_H

#include <stdint.h>

#include "engine/observation.h"

enum { STRATUM_CUTS = 2, STRATA_MOST = 27 };

struct stratum {                  // a box of blocks
    uint32_t first[3], extent[3]; // in blocks, by dimension
};
struct strata {
    uint32_t count;
    struct stratum stratum[STRATA_MOST]; // the largest first; together they are the grid
};

// How to run one block by itself. weigh() adds what the block counted to the counters, and returns 0, or -1 if the
// block cannot run by itself.
struct stratum_probe {
    int (*weigh)(void *data, uint64_t block, struct counters *);
    void *data;
    uint32_t most; // largest number of blocks to run for each dimension of the grid
};
// Finds the strata of a grid. Finds one stratum, the whole grid, if the blocks differ too often or cannot be run.
void stratum_find(struct strata *, const uint32_t grid[3], const struct stratum_probe *);

// Returns the number of blocks of the stratum.
uint64_t stratum_blocks(const struct stratum *);
// Returns the index in the grid (x fastest) of the stratum's block number `at`, counted in the same order.
uint64_t stratum_block(const struct stratum *, const uint32_t grid[3], uint64_t at);

#endif
