// From how often runs of ops were entered and left to the counters of instructions.
#ifndef SIM_TIMING_TALLY_H
#define SIM_TIMING_TALLY_H

#include "sim/core/program.h"

struct op_tally; // warp.h

// Adds to op[k], for each of the program's ops, what its executions count as; ran[k] becomes the number of warps that
// executed it. tally has one entry more than ops.
void tally_close(const struct sim_program *, const struct op_tally *tally, struct counters *op, uint64_t *ran);

#endif
