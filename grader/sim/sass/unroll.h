// Unrolls the loops that ptxas unrolls, because unrolling changes the memory requests of a warp.
#ifndef SIM_SASS_UNROLL_H
#define SIM_SASS_UNROLL_H

struct ptx_module;

// Unrolls those loops of a module's functions that ptxas would unroll. The caller calls unroll_loops() before any
// function of the module is lowered. Unrolling does not change the values that the functions compute. A module that was
// compiled for a debugger stays unchanged.
void unroll_loops(struct ptx_module *);

#endif
