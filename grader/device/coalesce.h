// Computes the cost of a warp's access to global or local memory in the L1, from addresses, active lanes and size
// alone.
//
// A request is one warp instruction that reaches the L1. A line is 128 bytes, a sector 32 bytes. A request touches the
// distinct lines and sectors of its active lanes; the order of the lanes does not matter.
// Source: the counters of an H200 (requests and sectors are exact functions of the addresses); NVIDIA, CUDA C++
// Programming Guide, "Device Memory Accesses".
#ifndef DEVICE_COALESCE_H
#define DEVICE_COALESCE_H

#include <stdint.h>

enum {
    COALESCE_LANES = 32,
    COALESCE_LINE = 128,                // bytes of a line
    COALESCE_SECTOR = 32,               // bytes of a sector
    COALESCE_CELLS = 2 * COALESCE_LANES // most cells that one access can touch: two for each lane
};

// The memory that an access touches, as cells of 32 units, in the order of the first lane that touches each cell. A
// cell is a line if the unit is a word (shift 2), and a sector if the unit is a byte (shift 0).
struct footprint {
    uint32_t cells;
    uint64_t cell[COALESCE_CELLS]; // address / (32 units)
    uint32_t unit[COALESCE_CELLS]; // bit u: unit u of the cell is touched
};

// Computes the footprint of an access to `bytes` bytes (1 to 64) at the address of each lane in `mask`. `unit_shift` is
// 0 for bytes, 2 for words.
void coalesce_footprint(struct footprint *out, const uint64_t address[COALESCE_LANES], uint32_t mask, uint32_t bytes,
                        uint32_t unit_shift);

// Returns the touched sectors (bit s: sector s) for the touched words of a line.
static inline uint32_t coalesce_sectors_of(uint32_t words)
{
    return (words & 0xffu ? 1u : 0u) | (words & 0xff00u ? 2u : 0u) | (words & 0xff0000u ? 4u : 0u) |
           (words & 0xff000000u ? 8u : 0u);
}

// Returns the number of sectors in a set of them.
static inline uint32_t coalesce_sector_count(uint32_t sectors)
{
    return (uint32_t)(0x4332322132212110u >> 4 * sectors & 0xf); // a table: the number of bits in 0 to 15
}

// Computes for each cell of the footprint (in words) the sector operations of an atomic instruction. Each sector takes
// as many operations as lanes use its busiest word. Source: l1tex__t_sectors_op_red of histogram kernels on an H200
// (exact for one word, one sector a lane and skewed bins; 2 % low for 32 random bins of 256).
void coalesce_atomic(const struct footprint *, const uint64_t address[COALESCE_LANES], uint32_t mask,
                     uint16_t operations[COALESCE_CELLS]);

struct coalesced {
    uint32_t requests; // 0 if no lane is active, else 1
    uint32_t lines, sectors;
    uint32_t bytes; // bytes that the threads access
};
// Returns the cost of an access to `bytes` bytes at the address of each lane in `mask`.
struct coalesced coalesce(const uint64_t address[COALESCE_LANES], uint32_t mask, uint32_t bytes);

#endif
