// Computes the counters of instructions from how often warps entered and left runs of ops.
#ifndef SIM_TIMING_TALLY_H
#define SIM_TIMING_TALLY_H

#include "sim/core/program.h"

struct op_tally; // warp.h

// Adds to op[k] what the executions of op k count as, and sets ran[k] to the number of warps that executed op k. The
// tally has one entry more than the program has ops.
void tally_close(const struct sim_program *, const struct op_tally *tally, struct counters *op, uint64_t *ran);

#endif
