// Detects whether two blocks of a launch access one byte of global memory and one of them writes. Then the order of
// blocks matters, and blocks must not run in parallel. The answer is exact for each word, and for each byte in buffers
// with elements below 4 bytes. It does not depend on how blocks are spread over host threads. An access costs one
// look-up for each line of 128 bytes.
#ifndef SIM_MACHINE_CONFLICT_H
#define SIM_MACHINE_CONFLICT_H

#include <stdint.h>

#include "device/coalesce.h"

struct conflict_map;
struct sim_memory;
struct sim_region;

enum conflict_touch { CONFLICT_READ, CONFLICT_WRITE };

// Returns an empty map for `units` units: words or bytes, see conflict_unit_shift. The caller frees it with
// conflict_map_free.
struct conflict_map *conflict_map_new(uint64_t units);
void conflict_map_free(struct conflict_map *);

// Returns log2 of the bytes of a unit, for a region whose elements have `element` bytes: 0 if they are smaller than a
// word, else 2.
uint32_t conflict_unit_shift(uint32_t element);

// Returns the owner to record for a block, or for all blocks that apply the same commuting atomic. The order of such
// atomics does not matter, so they count as one owner.
uint32_t conflict_block(uint64_t linear);
uint32_t conflict_commuting(uint32_t atom, uint32_t is_signed, uint32_t bytes);

// Records an access by `who` to the cells of the footprint; `first_cell` is the number of the region's first cell.
// Returns 1 if it conflicts with an earlier access of another block. Thread-safe.
int conflict_touch(struct conflict_map *, const struct footprint *, uint64_t first_cell, uint32_t who,
                   enum conflict_touch);

#endif
