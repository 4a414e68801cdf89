// Declares the data from which the number of machine registers is estimated: where the machine code keeps a function's
// values, and the regions of code that ptxas orders as a whole. The file register_need.c explains how the number of
// machine registers is estimated.
#ifndef SIM_SASS_CODE_REGION_H
#define SIM_SASS_CODE_REGION_H

#include "sim/sass/sass.h"

// Says where the machine code keeps the value of a PTX register.
enum sass_home {
    HOME_REGISTER, // in machine registers, from its definition to the last instruction that reads it
    HOME_FOLDED,   // nowhere: the instructions that read it compute it from its sources
    HOME_CONSTANT, // in constant memory or in a uniform register, from which instructions take operands
};

struct sass_homes {
    struct sass *s;
    uint32_t words;  // 64-bit words of a set of PTX registers
    uint8_t *home;   // [nregs]: enum sass_home
    uint8_t *packed; // [nregs]: machine registers that the value takes if registers are scarce
    uint8_t *spread; // [nregs]: machine registers that the value takes if there are plenty
    uint64_t *fresh; // the set of parameters that are loaded again in each block outside of loops
    uint64_t *in;    // [nblocks][words]: values that are live at the start of the block
    uint8_t *looped; // [nblocks]: 1: the block is part of a loop
    uint32_t *preds; // [nblocks]: number of edges that lead to the block
};
// Decides for each PTX register of the function where the machine code keeps its value, and how many machine registers
// the value takes.
void sass_home_values(struct sass_homes *);
// Returns 1 if ptxas generates no machine instruction for the PTX instruction, because its result is a constant or is
// computed by the instructions that read it.
int sass_home_vanishes(const struct sass_homes *, const struct ptx_inst *);

struct region_edge {
    uint32_t from, to, latency; // node `to` starts at least `latency` cycles after node `from`
    uint32_t next, back;        // the next edge from `from`, and the next edge to `to`, plus one; 0: none
};
struct region_node {
    uint32_t inst;
    uint32_t first, nuses, ndefs; // use[first] on: the values that it reads, then the values that it writes
    uint32_t out, into;           // first edge from it and first edge to it, plus one
    uint32_t nout, ninto;         // number of these edges whose other node has no place in the order yet
    uint32_t height, ready;       // cycles to the region's end; the cycle in which its operands are ready
    uint8_t lazy, done;           // lazy: sets a constant; done: has a place in the order
};
// Holds a region: successive basic blocks that control enters only at the first one. The nodes of a region are its
// instructions, in the order of the PTX.
struct code_region {
    const struct sass_homes *v;
    uint32_t last; // the last basic block of the region
    struct region_node *node;
    uint32_t nnodes;
    uint32_t *order; // [nnodes]: the nodes in the order of code_region_spread() or code_region_pack()
    uint32_t *use, nuses, use_capacity;
    struct region_edge *edge;
    uint32_t nedges, edge_capacity;
    uint32_t *writer; // [nregs]: last node that writes the register, plus one
    uint32_t *reader; // [nregs]: first element of `read` that reads the register's current value, plus one
    struct {
        uint32_t node, next;
    } * read;
    uint32_t nreads, read_capacity;
    uint64_t *live; // [words]: scratch
};
enum { REGION_NODES = 2000 }; // a longer region keeps the order of the PTX
// Allocates the arrays of a struct code_region (code_region_open), or frees them (code_region_close).
void code_region_open(struct code_region *, const struct sass_homes *);
void code_region_close(struct code_region *);
// Makes the instructions of basic block `b` the nodes of the region, and lists the values that each instruction reads
// and writes. Adds no edges between the nodes.
void code_region_note(struct code_region *, uint32_t b);
// Builds the region that begins with basic block `first`, and sets taken[b] to 1 for each further basic block b of the
// region.
void code_region_build(struct code_region *, uint32_t first, uint8_t *taken);
// Orders the nodes (instructions) of the region as ptxas does if there are plenty of machine registers. In this order,
// loads and other instructions whose results arrive late come early.
void code_region_spread(struct code_region *);
// Orders the nodes (instructions) of the region so that few values are live at once, by choosing from the last to the
// first. `out` is the set of values that are live at the region's end.
void code_region_pack(struct code_region *, const uint64_t *out);

#endif
