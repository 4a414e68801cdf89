// The order of a function's basic blocks in the program. A block stands before all blocks that it can reach, except for
// back edges to the head of a loop. The blocks of a loop are contiguous, and the code after a loop stands behind it. A
// warp that always runs the split with the smallest pc therefore converges at every join.
#ifndef SIM_LOWER_RANK_H
#define SIM_LOWER_RANK_H

#include <stdint.h>

#include "base/arena.h"

// A control-flow graph. The successors of block b are succ[first[b] … first[b + 1]). If control can fall through from b
// to the next block, that block is the last successor.
struct rank_graph {
    uint32_t nblocks;
    const uint32_t *first, *succ;
};

// Yields the blocks that block 0 reaches in their order: order[i] is the block at place i. Returns their number.
// Technique: a weak topological order (Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993),
// without recursion. Loops nested deeper than RANK_DEPTH keep the order of their source.
enum { RANK_DEPTH = 64 };
uint32_t rank_blocks(const struct rank_graph *, uint32_t *order, struct arena *);

#endif
