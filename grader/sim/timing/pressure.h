// Counts the loaded values that wait in registers while the ops of a scheduling region are put in order (schedule.c).
//
// Theory of operation. The compiler ptxas starts loads early only as far as registers reach. For example, the loop of a
// 4 x 4 product with 32 loads got 48 registers, of which sums, indices and pointers take most; on an H200 it waits for
// its loads in three groups, not once (stall counters of Nsight Compute). How many registers a kernel got is known,
// from ptxas or estimated (sass/register_need.c). The same analysis tells how many are live where a region begins,
// and how many each value takes (sim_plan.held). Two thirds of what is left hold loaded values, from the load to the
// last op of the region that reads them, or to the region's end if others read them. The rest holds addresses and what
// is computed. (In the SASS of 30 products by ptxas 13.0, a third to three quarters of those registers held loaded
// values, a half in the median. But ptxas also starts loads first whose values many ops read, which the replay cannot:
// it needs a warp's loads in the recorded order. With a half, kernels with many rows a thread take 1.6 times an H200's
// time.)
//
// The order of the PTX may need more registers than are left, because the analysis is not exact. Then as many are taken
// to be there, so that an order that fits exists. If more are live at a region's start than the kernel got, for example
// since ptxas computes addresses anew, the analysis tells nothing about the region, and its loads are not held back.
#ifndef SIM_TIMING_PRESSURE_H
#define SIM_TIMING_PRESSURE_H

#include <stdint.h>

#include "sim/core/program.h"

struct pressure;
struct replay_op;

// Prepares for the regions of a program, whose loads `cost` [nops] names. The caller frees the result with
// pressure_close().
struct pressure *pressure_open(const struct sim_program *, const struct replay_op *cost);
void pressure_close(struct pressure *);
// Begins the region of `n` ops that starts at op `start`. None of its ops is placed.
void pressure_region(struct pressure *, uint32_t start, uint32_t n);
// Returns 1 if there are registers for what op number `i` of the region loads, or if it loads nothing.
int pressure_fits(const struct pressure *, uint32_t i);
// Places op number `i` of the region.
void pressure_place(struct pressure *, uint32_t i);

#endif
