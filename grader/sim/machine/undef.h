// Undefined values in registers: bits that were never written.
#ifndef SIM_MACHINE_UNDEF_H
#define SIM_MACHINE_UNDEF_H

#include "sim/core/warp.h"

// Makes the register undefined in `lanes`, and defined in the other lanes of `exec`. Register 0 is ignored.
void undef_set(struct warp *, uint32_t reg, uint32_t lanes, uint32_t exec);
// Sets which bits of a lane's register are undefined, and their origin. If no bits are, the register is defined.
void undef_set_value(struct warp *, uint32_t reg, uint32_t lane, const struct sim_undefined *);
// Returns the undefined bits of a lane's register.
uint64_t undef_bits(const struct warp *, uint32_t reg, uint32_t lane);
// Returns the undefined bits with their origin, or NULL if the register is defined. The warp owns the result.
struct sim_undefined *undef_value(struct warp *, uint32_t reg, uint32_t lane);
// Executes one op on the slow path: the warp has undefined registers. Reports uses that matter, and works out which
// bits of the results are undefined.
void undef_execute(struct warp *, const struct sim_op *, uint32_t mask);
// Starts a function for the lanes. Its .local variables, at `base` in local memory, and the registers that it may read
// before it writes them become undefined.
void undef_enter(struct warp *, const struct plan_func *, uint32_t base, uint32_t lanes);
// Makes bytes of a lane's local memory undefined.
void undef_clear_local(struct warp *, uint32_t lane, uint64_t at, uint64_t bytes);

#endif
