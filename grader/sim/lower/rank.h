// Computes the order in which the basic blocks of a function are placed in the lowered program. A basic block is placed
// before all basic blocks that it can reach, except for back edges to the head of a loop. The basic blocks of a loop
// are contiguous, and the code after a loop is placed behind the loop. A warp whose lanes have diverged always runs the
// lanes with the smallest pc first. Because the lanes with the smallest pc run first, and basic blocks are placed
// before the blocks that they reach, diverged lanes converge at every join of the control flow.
#ifndef SIM_LOWER_RANK_H
#define SIM_LOWER_RANK_H

#include <stdint.h>

#include "base/arena.h"

// Describes a control-flow graph of basic blocks. The successors of basic block b are succ[first[b]] to succ[first[b +
// 1] - 1]. If control can fall through from block b to the next block, the next block is the last successor of block b.
struct rank_graph {
    uint32_t nblocks;
    const uint32_t *first, *succ;
};

// rank_blocks() orders the basic blocks that can be reached from block 0, and sets order[i] to the block at position i.
// rank_blocks() returns the number of basic blocks that can be reached from block 0. The order is a weak topological
// order (Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993), computed without recursion. The
// basic blocks inside a loop that is nested deeper than RANK_DEPTH are left unordered.
enum { RANK_DEPTH = 64 };
uint32_t rank_blocks(const struct rank_graph *, uint32_t *order, struct arena *);

#endif
