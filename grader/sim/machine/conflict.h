// Do two blocks of a launch touch one byte of global memory, one of them writing? Then the order of blocks matters,
// and blocks must not run side by side. The answer is exact per word (per byte in buffers of elements below 4 bytes),
// is the same however blocks are spread over host threads, and costs one look at a cell per 128-byte line.
#ifndef SIM_MACHINE_CONFLICT_H
#define SIM_MACHINE_CONFLICT_H

#include <stdint.h>

#include "device/coalesce.h"

struct conflict_map;
struct sim_memory;
struct sim_region;

enum conflict_touch { CONFLICT_READ, CONFLICT_WRITE };

// `units` of a region: its words or bytes, see conflict_unit_shift.
struct conflict_map *conflict_map_new(uint64_t units);
void conflict_map_free(struct conflict_map *);

// Units of a region: bytes (0) where its elements are smaller than a word, else words (2).
uint32_t conflict_unit_shift(uint32_t element);

// Who touches: a block, or all blocks together that apply one commuting atomic (which order does not matter).
uint32_t conflict_block(uint64_t linear);
uint32_t conflict_commuting(uint32_t atom, uint32_t is_signed, uint32_t bytes);

// Records the touch of the footprint's cells, whose numbers start at `first_cell`. 1 when it conflicts with an earlier
// one of another block. Thread-safe.
int conflict_touch(struct conflict_map *, const struct footprint *, uint64_t first_cell, uint32_t who,
                   enum conflict_touch);

#endif
