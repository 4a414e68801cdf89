// What a warp's access to global memory costs on a Kepler GPU (GK110), whose path to memory differs from that of its
// successors (coalesce.h).
//
// Uncached accesses (all stores; loads, unless the compiler is told otherwise) move segments of 32 bytes. Segments of
// one 128-byte line are joined into transactions of four, two or one, in that order of preference, each aligned to its
// own size; no segment is moved that was not asked for. Cached loads move whole lines of 128 bytes. Any order of lanes
// within a line costs the same. Each transaction after the first replays the instruction: N accesses are N - 1 replays.
// Source: NVIDIA, Kepler Tuning Guide, "Memory Throughput"; CUDA C++ Programming Guide, compute capability 3.x.
#ifndef DEVICE_SEGMENT_H
#define DEVICE_SEGMENT_H

#include <stdint.h>

#include "device/coalesce.h"

enum { SEGMENT_BYTES = 32, SEGMENT_MOST = 4 * COALESCE_CELLS };

struct transaction {
    uint64_t address; // a multiple of bytes
    uint32_t bytes;   // 32, 64 or 128
};
struct segments {
    uint32_t count; // of transactions; the first costs an access, each other a replay
    uint32_t bytes; // that they move
    struct transaction item[SEGMENT_MOST];
};
// `bytes` (1 … 16) at each address of the lanes in mask; cached: 1 for loads through the L1.
void segment_transactions(struct segments *, const uint64_t address[COALESCE_LANES], uint32_t mask, uint32_t bytes,
                          int cached);

#endif
