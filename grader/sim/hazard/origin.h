// Records where undefined values in a thread's local memory come from. Unoptimised code keeps every variable in local
// memory. A finding should name the load that read the undefined value, and not the local variable that held this value
// meanwhile.
#ifndef SIM_HAZARD_ORIGIN_H
#define SIM_HAZARD_ORIGIN_H

#include "sim/core/access.h"

// Records the origin of a value with undefined bits that a lane stored to the bytes [at, at + bytes) of its local
// memory. The function copies the struct sim_undefined that describes the origin. NULL instead of an origin means that
// the stored value is defined. If the stored value is defined, the written words have no origin afterwards.
void origin_keep(struct sim_warp *, uint32_t lane, uint64_t at, uint32_t bytes, const struct sim_undefined *);
// Returns the origin of the undefined value in the local-memory word at offset `at`, or NULL if the word has no
// recorded origin. The returned pointer is valid until the next call of origin_keep() or origin_forget().
const struct sim_undefined *origin_of(const struct sim_warp *, uint32_t lane, uint64_t at);
void origin_forget(struct sim_warp *); // removes all origins of the warp; call at the start of a block
void origin_free(struct sim_warp *);   // frees the warp's origins and sets w->origin to NULL

#endif
