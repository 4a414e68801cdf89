// The cells of a shadow: see shadow.h for what they hold and why.
#ifndef SIM_HAZARD_CELL_H
#define SIM_HAZARD_CELL_H

#include "sim/hazard/shadow.h"

// Stamps of each lane of one warp that read the cell.
struct shadow_lane_stamps {
    uint32_t warp;
    uint32_t stamp[WARP_LANES];
};

// Readers besides the two that every cell keeps: threads none of which knows another.
enum { SHADOW_READERS = 62 };
struct shadow_readers {
    uint32_t count;
    uint32_t stamp[SHADOW_READERS], who[SHADOW_READERS]; // STAMP_ACCESS
};

void cells_new(struct shadow_cells *, uint32_t count);
void cells_free(struct shadow_cells *);
void cells_clear(struct shadow_cells *); // as new
void cells_free_extra(struct shadow_cells *);

#endif
