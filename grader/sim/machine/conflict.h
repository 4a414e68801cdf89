// Detects conflicts: two blocks of a launch access the same byte of global memory, and at least one of them writes the
// byte. If two blocks conflict, their order matters, and they must not run in parallel. Conflicts are detected for each
// 4-byte word, or for each byte in buffers whose elements have 1 or 2 bytes. Whether a conflict is found does not
// depend on the assignment of blocks to host threads. Recording an access costs one look-up for each line of 128 bytes,
// or for each 32 bytes in buffers whose elements have 1 or 2 bytes.
#ifndef SIM_MACHINE_CONFLICT_H
#define SIM_MACHINE_CONFLICT_H

#include <stdint.h>

#include "device/coalesce.h"

struct conflict_map;
struct sim_memory;
struct sim_region;

enum conflict_touch { CONFLICT_READ, CONFLICT_WRITE };

// Returns an empty conflict map for a memory region of `units` units. A unit of a conflict map is a byte or a 4-byte
// word (see conflict_unit_shift()). The caller frees the map with conflict_map_free().
struct conflict_map *conflict_map_new(uint64_t units);
void conflict_map_free(struct conflict_map *);

// Returns log2 of the size, in bytes, of a conflict map's unit: 0 (bytes) if `element` is 1 or 2, otherwise 2 (4-byte
// words). `element` is the size of the region's elements in bytes.
uint32_t conflict_unit_shift(uint32_t element);

// conflict_touch() records accesses under a number `who`, which conflict_block() and conflict_commuting() compute. The
// function conflict_block() returns the number of the block with the index `linear`. The function conflict_commuting()
// returns one number for all blocks that apply the same kind of commuting atomic, because the order of commuting
// atomics does not matter.
uint32_t conflict_block(uint64_t linear);
uint32_t conflict_commuting(uint32_t atom, uint32_t is_signed, uint32_t bytes);

// Records that block `who` accessed the bytes or words that the footprint lists. The footprint gives each group of 32
// bytes or 32 words as its device address divided by the group's size. `first_cell` is the device address of the
// region's first group of 32 bytes or words, divided by the group's size. Returns 1 if the access conflicts with an
// earlier access of another block. Thread-safe.
int conflict_touch(struct conflict_map *, const struct footprint *, uint64_t first_cell, uint32_t who,
                   enum conflict_touch);

#endif
