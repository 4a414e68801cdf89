// Lowers a kernel: makes the ops and the plan that the machine executes.
#ifndef SIM_LOWER_LOWER_H
#define SIM_LOWER_LOWER_H

#include "engine/observation.h"
#include "sim/core/plan.h"

// Lowers one kernel with the functions that it may call. Everything lives in the arena. Returns NULL if an instruction
// is not supported, with "line:column: text" in `message`. *undefined is 1 if that instruction calls a function that no
// module defines.
struct sim_program *lower_kernel(const struct ptx_module *, uint32_t entry, const struct sim_memory *,
                                 const struct sim_handlers *, struct arena *, char message[OBSERVATION_MESSAGE],
                                 int *undefined);
// Returns the handlers for the vector units with that name (base, v3, v4), or NULL if this machine has none. Without a
// name, returns the best that the machine has.
const struct sim_handlers *lower_handlers(const char *name);

#endif
