// Divides a grid of blocks into strata. A stratum is a box of blocks with equal counters, and each stratum is sampled
// by itself.
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
    struct stratum stratum[STRATA_MOST]; // ordered by size, the largest first; together the strata cover the grid
};

// The callback by which stratum_find() runs one block by itself. The callback weigh() adds the block's counts to the
// counters. The callback weigh() returns 0, or -1 if the block cannot run by itself.
struct stratum_probe {
    int (*weigh)(void *data, uint64_t block, struct counters *);
    void *data;
    uint32_t most; // maximum number of blocks to run for each dimension of the grid
};
// Finds the strata of a grid. Stores one stratum, the whole grid, if the counts change too often or blocks cannot be
// run by themselves.
void stratum_find(struct strata *, const uint32_t grid[3], const struct stratum_probe *);

// Returns the number of blocks of the stratum.
uint64_t stratum_blocks(const struct stratum *);
// Returns the linear index in the grid of the stratum's block number `at`. Block numbers in the stratum and in the grid
// count the x dimension fastest.
uint64_t stratum_block(const struct stratum *, const uint32_t grid[3], uint64_t at);

#endif
