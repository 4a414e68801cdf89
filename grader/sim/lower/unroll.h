// What ptxas makes of a function's loops, as far as it changes what a warp asks of memory.
#ifndef SIM_LOWER_UNROLL_H
#define SIM_LOWER_UNROLL_H

#include "ptx/ptx.h"

// Unrolls the loops of a module's functions that ptxas would unroll, before anything is lowered. Values stay what they
// were. A module made for a debugger stays as it is.
void unroll_loops(struct ptx_module *);

#endif
