// Computes the order in which a function's basic blocks stand in the program. In this order, a basic block stands
// before all blocks that it can reach, except for back edges to the head of a loop. The blocks of a loop are
// contiguous, and the code after a loop stands behind the loop. A warp whose lanes have diverged always runs the lanes
// with the smallest pc first. With this rule and this order of blocks, the lanes converge at every join of the control
// flow.
#ifndef SIM_LOWER_RANK_H
#define SIM_LOWER_RANK_H

#include <stdint.h>

#include "base/arena.h"

// A control-flow graph of basic blocks. The successors of block b are succ[first[b]] to succ[first[b + 1] - 1]. If
// control can fall through from block b to the next block, the next block is the last successor of block b.
struct rank_graph {
    uint32_t nblocks;
    const uint32_t *first, *succ;
};

// Orders the blocks that block 0 reaches, and sets order[i] to the block at position i. Returns the number of blocks
// that block 0 reaches. The order is a weak topological order (Bourdoncle, "Efficient chaotic iteration strategies with
// widenings", 1993), computed without recursion. Blocks of loops that are nested deeper than RANK_DEPTH are not ordered
// again.
enum { RANK_DEPTH = 64 };
uint32_t rank_blocks(const struct rank_graph *, uint32_t *order, struct arena *);

#endif
