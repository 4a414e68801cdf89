// The order in which a function's basic blocks are laid out: a block stands before those that it can reach, save for
// the way back to the head of a loop; the blocks of a loop stand together, and what follows a loop stands behind it.
// So "the split with the smallest pc first" meets the other lanes of its warp at every join.
#ifndef SIM_LOWER_RANK_H
#define SIM_LOWER_RANK_H

#include <stdint.h>

#include "base/arena.h"

// A control-flow graph. The successors of block b are succ[first[b] … first[b + 1]); the last is the one the block
// falls into, where it does.
struct rank_graph {
    uint32_t nblocks;
    const uint32_t *first, *succ;
};

// order[i]: the block laid out at place i, for the blocks that block 0 reaches; their number is returned.
// Technique: a weak topological order (Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993),
// without recursion. Loops nested deeper than RANK_DEPTH are laid out as they stand.
enum { RANK_DEPTH = 64 };
uint32_t rank_blocks(const struct rank_graph *, uint32_t *order, struct arena *);

#endif
