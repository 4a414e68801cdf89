// Records where undefined values in a thread's local memory come from. Unoptimised code keeps every variable in local
// memory. A finding should name the load that read an undefined value (the origin of the value), and not the local
// variable that held the undefined value in between.
#ifndef SIM_HAZARD_ORIGIN_H
#define SIM_HAZARD_ORIGIN_H

#include "sim/core/access.h"

// Records the origin of the value that a lane stores to the bytes [at, at + bytes) of its local memory, if the value
// has undefined bits. The origin is the load that returned the undefined value; the function copies the given struct
// sim_undefined, which describes this load. If the stored value is defined, the caller passes NULL as struct
// sim_undefined, and the function removes the recorded origins of the written words.
void origin_keep(struct sim_warp *, uint32_t lane, uint64_t at, uint32_t bytes, const struct sim_undefined *);
// Returns the struct sim_undefined that origin_keep() recorded for the local-memory word at offset `at`, or NULL if
// none is recorded. The returned pointer is valid until the next call of origin_keep() or origin_forget().
const struct sim_undefined *origin_of(const struct sim_warp *, uint32_t lane, uint64_t at);
void origin_forget(struct sim_warp *); // removes all origins of the warp; call at the start of a block
void origin_free(struct sim_warp *);   // frees the warp's origins and sets w->origin to NULL

#endif
