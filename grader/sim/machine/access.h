// Executes one memory instruction of a warp, in any space: checks the addresses, moves the data and counts the cost.
//
// Each function of this file handles all lanes of one memory instruction. An access function finds the memory space,
// refuses lanes with a bad address, records findings, and counts requests, sectors and wavefronts. A lane with a bad
// address loads 0 and stores nothing. The access functions separate the instruction handlers, which handle only
// registers, from the timing model, which handles only counters.
#ifndef SIM_MACHINE_ACCESS_H
#define SIM_MACHINE_ACCESS_H

#include "sim/core/access.h"
#include "sim/core/region.h"
#include "sim/core/vector_level.h"

struct footprint; // device/coalesce.h

// The file access.c is compiled once for each level of the host's vector units (core/vector_level.h). SIM_NAME gives a
// function a different name at each level of vector units. Because of SIM_NAME, a function that is compiled for one
// level of vector units calls functions that are compiled for the same level.
#define access_load SIM_NAME(access_load)
#define access_store SIM_NAME(access_store)
#define access_atomic SIM_NAME(access_atomic)
#define access_touch_region SIM_NAME(access_touch_region)
// Loads a->count elements for each lane from memory. Element e of lane l is stored at row[e] + l * a->row_bytes.
// Undefined bits of the loaded values are recorded in the struct sim_validity. If the struct sim_validity is NULL, a
// load of undefined bits is reported as a finding at once.
void access_load(struct sim_warp *, const struct sim_access *, void *const row[], struct sim_validity *);
// Stores the lanes' values of registers to memory. The value of element e in lane l is at row[e] + l * a->row_bytes.
// The struct sim_validity lists the undefined bits of the stored values (NULL: none), which become undefined in memory.
// In global memory, a byte is undefined only if all its bits are undefined.
void access_store(struct sim_warp *, const struct sim_access *, const void *const row[], const struct sim_validity *);
// Applies an atomic instruction for each lane, in ascending order of lanes. `result` receives the old values from
// memory; `result` is NULL for the instruction red, which returns nothing. `operand` and `compare` point to registers:
// arrays with one value for each lane. `compare` is NULL unless the atomic is a compare-and-swap. If the atomic has
// several elements for each lane, `result` and `operand` point to one register for each element, one after the other
// without gaps.
void access_atomic(struct sim_warp *, const struct sim_access *, void *result, const void *operand,
                   const void *compare);
// Records which words of global memory the lanes in `good` access: for the detection of conflicts between blocks
// (conflict.h), for the snapshot of memory (snapshot.h), and for sim_memory_touched(). The addresses of all lanes in
// `good` must lie in the memory region that the struct sim_region describes. `words` is the footprint of the access:
// for each 128-byte line, a mask of the accessed 4-byte words.
void access_touch_region(struct sim_warp *, const struct sim_access *, const struct sim_region *, uint32_t good,
                         const struct footprint *words);

#endif
