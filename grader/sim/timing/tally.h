// Computes instruction counters from a tally, which counts the warps and lanes that entered or left a sequence of
// consecutive ops at each op.
#ifndef SIM_TIMING_TALLY_H
#define SIM_TIMING_TALLY_H

#include "sim/core/program.h"

struct op_tally; // warp.h

// Adds the counts of all executions of op k to op[k], and sets ran[k] to the number of warps that executed op k. The
// tally has one entry more than the program has ops.
void tally_close(const struct sim_program *, const struct op_tally *tally, struct counters *op, uint64_t *ran);

#endif
