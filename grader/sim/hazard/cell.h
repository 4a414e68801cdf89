// Creates, clears and frees shadow cells. A shadow cell is the record of the latest accesses to one word or one byte of
// shared memory. The header shadow.h explains the fields of a shadow cell.
#ifndef SIM_HAZARD_CELL_H
#define SIM_HAZARD_CELL_H

#include "sim/hazard/race_report.h"
#include "sim/hazard/shadow.h"

// Holds the sets of plain readers of a word or byte for which the fields `reader` and `other` of struct shadow_cells
// have no room.
enum { SHADOW_READERS = 62 };
struct shadow_readers {
    uint32_t count;
    struct race_set set[SHADOW_READERS];
};

// Allocates `count` empty shadow cells. The caller must free the cells with cells_free().
void cells_new(struct shadow_cells *, uint32_t count);
void cells_free(struct shadow_cells *);       // frees the arrays and sets all fields to zero
void cells_clear(struct shadow_cells *);      // empties all cells
void cells_free_extra(struct shadow_cells *); // frees `more` of each cell

#endif
