// Creates, clears and frees shadow cells. A shadow cell is the record of the latest accesses to one word or one byte of
// shared memory. The header shadow.h explains the fields of a shadow cell.
#ifndef SIM_HAZARD_CELL_H
#define SIM_HAZARD_CELL_H

#include "sim/hazard/shadow.h"

// Holds, for each lane of one warp, the stamp (clock value) of the lane's latest read of one word or byte of shared
// memory. The stamp of a lane that has not read the word or byte is 0.
struct shadow_lane_stamps {
    uint32_t warp; // index in the block
    uint32_t stamp[WARP_LANES];
};

// The struct shadow_readers holds the plain readers of a word or byte of shared memory for which the fields `reader`
// and `other` of struct shadow_cells have no room. Of the reads in struct shadow_readers, none is ordered before
// another.
enum { SHADOW_READERS = 62 };
struct shadow_readers {
    uint32_t count;
    uint32_t stamp[SHADOW_READERS], who[SHADOW_READERS]; // STAMP_ACCESS
};

// Allocates `count` empty shadow cells. The caller must free the cells with cells_free().
void cells_new(struct shadow_cells *, uint32_t count);
void cells_free(struct shadow_cells *);       // frees the arrays and sets all fields to zero
void cells_clear(struct shadow_cells *);      // empties all cells
void cells_free_extra(struct shadow_cells *); // frees `wide` and `more` of each cell

#endif
