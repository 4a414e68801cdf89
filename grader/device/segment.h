// Computes the cost of a warp's access to global memory on a Kepler GPU (GK110). The GK110's path to memory differs
// from that of later GPUs, for which coalesce.h computes the cost.
//
// Uncached accesses move segments of 32 bytes. All stores to global memory are uncached, and by default all loads are
// uncached, too. Segments in the same line of 128 bytes are joined into transactions of four, two or one segments;
// larger transactions are preferred. A transaction is aligned to its size and moves only segments that a lane accesses.
// Loads through the L1 cache move whole lines of 128 bytes. The number and size of the transactions do not depend on
// the order in which the lanes access memory. Each transaction after the first replays the instruction, so N
// transactions take N - 1 replays. The rules for transactions are from NVIDIA's Kepler Tuning Guide, "Memory
// Throughput", and from the CUDA C++ Programming Guide, compute capability 3.x.
#ifndef DEVICE_SEGMENT_H
#define DEVICE_SEGMENT_H

#include <stdint.h>

#include "device/coalesce.h"

enum { SEGMENT_BYTES = 32, SEGMENT_MOST = 4 * COALESCE_CELLS };

struct transaction {
    uint64_t address; // a multiple of `bytes`
    uint32_t bytes;   // size: 32, 64 or 128
};
struct segments {
    uint32_t count; // number of transactions; each transaction after the first is a replay
    uint32_t bytes; // bytes that all transactions together move
    struct transaction item[SEGMENT_MOST];
};
// Computes the transactions of an access to `bytes` bytes (1 to 16) at the address of each lane in `mask`. `cached` is
// 1 for loads through the L1 and 0 for other accesses.
void segment_transactions(struct segments *, const uint64_t address[COALESCE_LANES], uint32_t mask, uint32_t bytes,
                          int cached);

#endif
