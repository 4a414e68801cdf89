// What a warp's access to global or local memory costs the L1: a pure function of addresses, lanes and size.
//
// A request is one warp instruction that reaches the L1; a line is 128 bytes, a sector 32. A warp's request touches
// the distinct lines and sectors of its active lanes, in whatever order the lanes name them.
// Source: the counters of an H200 (requests and sectors are exact functions of the addresses); NVIDIA, CUDA C++
// Programming Guide, "Device Memory Accesses".
#ifndef DEVICE_COALESCE_H
#define DEVICE_COALESCE_H

#include <stdint.h>

enum {
    COALESCE_LANES = 32,
    COALESCE_LINE = 128,                // bytes of a line
    COALESCE_SECTOR = 32,               // bytes of a sector
    COALESCE_CELLS = 2 * COALESCE_LANES // most cells one access can touch: two a lane when it straddles a border
};

// What an access touches, as cells of 32 units each, in the order in which the lanes name them first. With words as
// units (shift 2) a cell is a line, with bytes as units (shift 0) a sector.
struct footprint {
    uint32_t cells;
    uint64_t cell[COALESCE_CELLS]; // address / (32 units)
    uint32_t unit[COALESCE_CELLS]; // bit u: unit u of the cell is touched
};

// `bytes` (1 … 64) at each address of the lanes in mask; unit_shift 0 for bytes, 2 for words.
void coalesce_footprint(struct footprint *out, const uint64_t address[COALESCE_LANES], uint32_t mask, uint32_t bytes,
                        uint32_t unit_shift);

// Of one line's touched words: the sectors (bit s: sector s).
static inline uint32_t coalesce_sectors_of(uint32_t words)
{
    return (words & 0xffu ? 1u : 0u) | (words & 0xff00u ? 2u : 0u) | (words & 0xff0000u ? 4u : 0u) |
           (words & 0xff000000u ? 8u : 0u);
}

static inline uint32_t coalesce_sector_count(uint32_t sectors)
{
    return (uint32_t)(0x4332322132212110u >> 4 * sectors & 0xf); // bits of each number up to 15
}

// Operations on sectors that an atomic of these lanes takes, for each cell of its footprint (units: words): a sector is
// worked on once for every lane that meets another on its busiest word.
// Source: l1tex__t_sectors_op_red of histogram kernels on an H200 (exact for one word, one sector a lane and skewed
// bins; 2 % low for 32 random bins of 256).
void coalesce_atomic(const struct footprint *, const uint64_t address[COALESCE_LANES], uint32_t mask,
                     uint16_t operations[COALESCE_CELLS]);

struct coalesced {
    uint32_t requests; // 0 when no lane is active, else 1
    uint32_t lines, sectors;
    uint32_t bytes; // that the threads asked for
};
struct coalesced coalesce(const uint64_t address[COALESCE_LANES], uint32_t mask, uint32_t bytes);

#endif
