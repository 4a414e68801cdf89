// Computes the cost of a warp's access to global or local memory in the L1 cache. The L1 cost of an access depends only
// on its addresses, its active lanes and its size.
//
// A request is one warp instruction that reaches the L1 cache. A cache line has 128 bytes, and a sector 32 bytes. A
// request touches the distinct lines and sectors that its active lanes access. The numbers of lines and sectors of a
// request do not depend on the order of its lanes. The rules of coalescing follow the CUDA C++ Programming Guide,
// "Device Memory Accesses", and the counters of an H200 (requests and sectors are exact functions of the addresses).
#ifndef DEVICE_COALESCE_H
#define DEVICE_COALESCE_H

#include <stdint.h>

enum {
    COALESCE_LANES = 32,
    COALESCE_LINE = 128,                // size of an L1 line in bytes
    COALESCE_SECTOR = 32,               // size of a sector in bytes
    COALESCE_CELLS = 2 * COALESCE_LANES // most cells that one access can touch: two per lane
};

// Lists the cache lines or the sectors that a warp's access touches, in the order in which the lanes first touch them.
// Each cell of a footprint consists of 32 units. A cell is a cache line of 32 words if the argument `unit_shift` of
// coalesce_footprint() is 2, and a sector of 32 bytes if `unit_shift` is 0.
struct footprint {
    uint32_t cells;
    uint64_t cell[COALESCE_CELLS]; // address / (32 units) of each cell
    uint32_t unit[COALESCE_CELLS]; // bit u: unit u of the cell is touched
};

// Computes the footprint (the touched cache lines or sectors) of an access to `bytes` bytes (1 to 64) at the address of
// each lane in `mask`. If `unit_shift` is 2, the footprint lists cache lines and the words touched in each line. If
// `unit_shift` is 0, the footprint lists sectors and the bytes touched in each sector.
void coalesce_footprint(struct footprint *out, const uint64_t address[COALESCE_LANES], uint32_t mask, uint32_t bytes,
                        uint32_t unit_shift);

// Returns the set of sectors of a cache line that contain touched words. Bit w of `words` stands for word w of the
// line, and bit s of the result for sector s.
static inline uint32_t coalesce_sectors_of(uint32_t words)
{
    return (words & 0xffu ? 1u : 0u) | (words & 0xff00u ? 2u : 0u) | (words & 0xff0000u ? 4u : 0u) |
           (words & 0xff000000u ? 8u : 0u);
}

// Returns the number of sectors in `sectors`, a set of up to four sectors with one bit each.
static inline uint32_t coalesce_sector_count(uint32_t sectors)
{
    return (uint32_t)(0x4332322132212110u >> 4 * sectors & 0xf); // table: the number of bits in 0 to 15
}

// Computes how many sector operations a warp's atomic instruction takes in each cache line that it touches. The first
// argument lists the touched cache lines and the words touched in each line (coalesce_footprint() with `unit_shift` 2).
// In each sector, an atomic instruction takes as many operations as lanes use that sector's busiest word. The number of
// sector operations was compared with the counter l1tex__t_sectors_op_red of histogram kernels on an H200. The number
// of sector operations that coalesce_atomic() computes is exact if all lanes update one word or if each lane updates a
// sector of its own. The number of sector operations that coalesce_atomic() computes is also exact for histograms of
// skewed data. If the lanes update random bins of a histogram with 256 bins, the computed number of sector operations
// is 2 % too low.
void coalesce_atomic(const struct footprint *, const uint64_t address[COALESCE_LANES], uint32_t mask,
                     uint16_t operations[COALESCE_CELLS]);

struct coalesced {
    uint32_t requests; // 0 if no lane is active, otherwise 1
    uint32_t lines, sectors;
    uint32_t bytes; // sum of the bytes that all active lanes access
};
// Returns the L1 cost of an access to `bytes` bytes (1 to 64) at the address of each lane in `mask`.
struct coalesced coalesce(const uint64_t address[COALESCE_LANES], uint32_t mask, uint32_t bytes);

#endif
