// Creates, clears and frees the cells that record the accesses to each word of shared memory. shadow.h explains the
// fields of a cell.
#ifndef SIM_HAZARD_CELL_H
#define SIM_HAZARD_CELL_H

#include "sim/hazard/shadow.h"

// Stamps of the lanes of one warp that read the cell: one stamp per lane. A stamp of 0 means that the lane did not
// read.
struct shadow_lane_stamps {
    uint32_t warp; // index in the block
    uint32_t stamp[WARP_LANES];
};

// Readers of a cell beyond the two that each cell has. Their reads are not ordered before each other.
enum { SHADOW_READERS = 62 };
struct shadow_readers {
    uint32_t count;
    uint32_t stamp[SHADOW_READERS], who[SHADOW_READERS]; // STAMP_ACCESS
};

// Allocates `count` empty cells. The caller frees the cells with cells_free().
void cells_new(struct shadow_cells *, uint32_t count);
void cells_free(struct shadow_cells *);       // frees the arrays and sets all fields to zero
void cells_clear(struct shadow_cells *);      // empties all cells
void cells_free_extra(struct shadow_cells *); // frees `wide` and `more` of each cell

#endif
