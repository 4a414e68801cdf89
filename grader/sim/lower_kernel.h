// Lowers a kernel, i.e. translates its PTX to the ops and the plan that the simulator executes.
#ifndef SIM_LOWER_KERNEL_H
#define SIM_LOWER_KERNEL_H

#include "engine/observation.h"
#include "sim/core/plan.h"

// Lowers one kernel with the functions that it may call. Returns the lowered program. All memory of the lowered program
// comes from the arena. If an instruction is not supported, returns NULL and writes "line:column: text" to `message`.
// Sets `*undefined` to 1 if the unsupported instruction calls a function that no module defines.
struct sim_program *lower_kernel(const struct ptx_module *, uint32_t entry, const struct sim_memory *,
                                 const struct sim_handlers *, struct arena *, char message[OBSERVATION_MESSAGE],
                                 int *undefined);
// Returns the op handlers for the host's vector unit `name` (base, v3 or v4), or NULL if the host does not have this
// vector unit. If `name` is NULL, returns the handlers for the host's best vector unit.
const struct sim_handlers *lower_kernel_handlers(const char *name);

#endif
