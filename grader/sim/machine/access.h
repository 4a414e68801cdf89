// One memory instruction of a warp, in any space: checks it, moves the data and counts its cost.
//
// Each function takes all lanes of the instruction. It finds the space, refuses lanes with a bad address, records
// findings, and counts requests, sectors and wavefronts. A refused lane loads 0 and stores nothing. So ops know only
// registers, and the timing model only counters.
#ifndef SIM_MACHINE_ACCESS_H
#define SIM_MACHINE_ACCESS_H

#include "sim/core/access.h"
#include "sim/core/region.h"
#include "sim/core/vector_level.h"

struct footprint; // device/coalesce.h

// This file is compiled for each level of vector units. The files of a level call the functions of the same level.
#define access_load SIM_NAME(access_load)
#define access_store SIM_NAME(access_store)
#define access_atomic SIM_NAME(access_atomic)
#define access_touch_region SIM_NAME(access_touch_region)
// Loads a->count elements for each lane: element e of lane l goes to row[e] + l * a->row_bytes. Undefined bits go into
// the validity. If that is NULL, a load of undefined bits is a finding at once.
void access_load(struct sim_warp *, const struct sim_access *, void *const row[], struct sim_validity *);
// Stores the rows. Undefined bits (NULL: none) make the stored bits undefined. In global memory, a byte is undefined
// only if all its bits are.
void access_store(struct sim_warp *, const struct sim_access *, const void *const row[], const struct sim_validity *);
// Applies an atomic for each lane, in ascending order of lanes. `result` (NULL: red) receives the old values. `operand`
// and `compare` (NULL: not a compare-and-swap) are rows. The rows of a vector's elements follow each other.
void access_atomic(struct sim_warp *, const struct sim_access *, void *result, const void *operand,
                   const void *compare);
// Records which words of global memory the lanes in `good` access: for conflicts between blocks, for the snapshot and
// for sim_memory_touched. All lanes lie in the region. `words` is their footprint by lines.
void access_touch_region(struct sim_warp *, const struct sim_access *, const struct sim_region *, uint32_t good,
                         const struct footprint *words);

#endif
