// Lab 3: a prefix sum with __syncthreads
//
// out[i] = in[0] + in[1] + … + in[i], for n unsigned numbers, modulo 2^32 (so every order of adding is exact).
// A barrier reaches one block and no further, so the work is cut where blocks must wait for each other:
// three kernels run one after the other, and the end of a kernel is the barrier of the whole grid.
//
//   block_sums   each block covers .tile consecutive elements, block b those from b * tile on;
//                sums[b] = the sum of block b's elements
//   scan_sums    one block. Turns the m sums into "what stands before": sums[b] = sum of all blocks before b,
//                so sums[0] = 0. m is the number of blocks of block_sums and may exceed your number of threads
//   scan_blocks  same tiles as block_sums. Prefix sum within the tile, plus sums[b], to out
//
// `sums` starts out uninitialised. The last tile is rarely full: n is any number, do not read or write past it.
// block_sums and scan_blocks must have the same .tile; scan_sums always gets one block.
//
// To pass: right, no race, at least 128 threads a block in block_sums and scan_blocks that hand values to each other
// across __syncthreads(), no global atomics, and the speed that `./grade lab3` states. Stuck? `./grade hint lab3`.
// Read handouts/lab3_syncthreads.md, then: make lab3 && ./grade lab3
#include "warpwise.h"

// Threads of a block. A tile may hold more elements than a block has threads: add .tile = {…} to both, if you like.
#define THREADS 256

LAUNCH(block_sums, .block = {THREADS});
LAUNCH(scan_sums, .block = {THREADS});
LAUNCH(scan_blocks, .block = {THREADS});

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    // Step 1: bring the tile into shared memory, zeros behind the end. Step 2: add it up: where does a thread read
    // what another wrote? There stands a barrier, to which all threads come. Step 3: one thread stores the sum.
    if (threadIdx.x == 0) sums[blockIdx.x] = 0;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    // The same as a scan of one tile, but exclusive, and tile after tile until m: carry the sum so far.
    for (int i = threadIdx.x; i < m; i += blockDim.x) sums[i] = 0;
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    // In step d = 1, 2, 4, … each thread adds the value d places before its own. Who still reads what you overwrite?
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 0;
}
