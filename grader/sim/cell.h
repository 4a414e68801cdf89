// The cells of a shadow: see shadow.h for what they hold and why.
#ifndef SIM_CELL_H
#define SIM_CELL_H

#include "sim/shadow.h"

// Stamps of each lane of one warp that read the cell.
struct shadow_wide {
    uint32_t warp;
    uint32_t stamp[WARP_LANES];
};

void cells_new(struct shadow_cells *, uint32_t count);
void cells_free(struct shadow_cells *);
void cells_clear(struct shadow_cells *); // as new
void cells_forget_wide(struct shadow_cells *);

#endif
