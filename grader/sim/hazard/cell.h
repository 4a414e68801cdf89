// The cells of a shadow. shadow.h says what they hold and why.
#ifndef SIM_HAZARD_CELL_H
#define SIM_HAZARD_CELL_H

#include "sim/hazard/shadow.h"

// The lanes of one warp that read the cell, with a stamp for each lane.
struct shadow_lane_stamps {
    uint32_t warp;
    uint32_t stamp[WARP_LANES];
};

// Readers in addition to the two in each cell: threads that are unordered among each other.
enum { SHADOW_READERS = 62 };
struct shadow_readers {
    uint32_t count;
    uint32_t stamp[SHADOW_READERS], who[SHADOW_READERS]; // STAMP_ACCESS
};

// Allocates `count` empty cells. The caller frees them with cells_free.
void cells_new(struct shadow_cells *, uint32_t count);
void cells_free(struct shadow_cells *);
void cells_clear(struct shadow_cells *);      // empties all cells
void cells_free_extra(struct shadow_cells *); // frees `wide` and `more` of each cell

#endif
