// Removes the jumps of PTX that ptxas removes, and updates what jumps lead to when instructions move.
#ifndef SIM_SASS_JUMPS_H
#define SIM_SASS_JUMPS_H

#include "ptx/ptx.h"

// Removes jumps to the next instruction of the text. The caller calls jumps_tidy()
// before any function of the module is lowered. The values that the functions compute do not change. A module that was
// compiled for a debugger stays unchanged.
void jumps_tidy(struct ptx_module *);
// Adds to entered[k] the number of branches and branch table entries that lead to the function's instruction k.
void jumps_count(const struct ptx_func *, uint32_t *entered);
// Replaces each instruction index k in the function's branch tables and labels by place[k], after instructions moved.
void jumps_renumber(struct ptx_func *, const uint32_t *place);

#endif
