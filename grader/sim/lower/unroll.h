// The loops that ptxas unrolls. Unrolling changes the requests that a warp sends to memory.
#ifndef SIM_LOWER_UNROLL_H
#define SIM_LOWER_UNROLL_H

#include "ptx/ptx.h"

// Unrolls the loops of a module's functions that ptxas would unroll. Call it before anything is lowered. The values
// that the functions compute do not change. A module compiled for a debugger stays unchanged.
void unroll_loops(struct ptx_module *);

#endif
