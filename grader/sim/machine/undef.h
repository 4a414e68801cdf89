// Tracks which bits of a warp's registers are undefined, and reports undefined values where they matter. A bit is
// undefined if it depends on memory or a register that was never written.
#ifndef SIM_MACHINE_UNDEF_H
#define SIM_MACHINE_UNDEF_H

#include "sim/core/warp.h"

// Makes register `reg` undefined in the lanes of `lanes`, and defined in the other lanes of `exec`. Does nothing if the
// register id `reg` is 0.
void undef_set(struct warp *, uint32_t reg, uint32_t lanes, uint32_t exec);
// Sets the undefined bits of a lane's register, with their origin. If the value has no undefined bits, the register
// becomes defined in the lane.
void undef_set_value(struct warp *, uint32_t reg, uint32_t lane, const struct sim_undefined *);
// Returns the undefined bits of a lane's register.
uint64_t undef_bits(const struct warp *, uint32_t reg, uint32_t lane);
// Returns the struct sim_undefined (undefined bits and their origin) of a lane's register. The warp owns this struct
// sim_undefined, which is valid only if the register has undefined bits in the lane.
struct sim_undefined *undef_value(struct warp *, uint32_t reg, uint32_t lane);
// Executes one op of a warp that has undefined registers, for the lanes in `mask`. Reports undefined branch conditions,
// undefined addresses and undefined values stored to global memory. Also computes the undefined bits of the op's
// results.
void undef_execute(struct warp *, const struct sim_op *, uint32_t mask);
// Prepares the registers and the local memory of the lanes in `lanes` for the entry of a device function. The device
// function's .local variables, at offset `base` in local memory, become undefined. The registers that the device
// function may read before it writes them also become undefined.
void undef_enter(struct warp *, const struct plan_func *, uint32_t base, uint32_t lanes);
// Sets `bytes` bytes of a lane's local memory, from offset `at` on, to 0 and makes these bytes undefined.
void undef_clear_local(struct warp *, uint32_t lane, uint64_t at, uint64_t bytes);

#endif
