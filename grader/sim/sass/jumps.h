// Removes the jumps of PTX that ptxas removes.
#ifndef SIM_SASS_JUMPS_H
#define SIM_SASS_JUMPS_H

#include "ptx/ptx.h"

// Removes jumps to the next instruction of the text. The caller calls jumps_tidy()
// before any function of the module is lowered. The values that the functions compute do not change. A module that was
// compiled for a debugger stays unchanged.
void jumps_tidy(struct ptx_module *);

#endif
