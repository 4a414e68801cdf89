// Lab 4, reference: a 256-bin histogram that reads at the speed of memory, whatever the data.
//
// - Counting happens in shared memory: a block's counters are its own, and an addition there takes a cycle, not a trip
//   to the L2 for which the whole grid queues.
// - Few blocks that stride over the input: a block's merge costs 256 global additions, so there are no more blocks than
//   run at once, and they are as large as they may be: 264 blocks of 1024 threads merge, not 1056 of 256.
// - 16-byte loads: with one 4-byte load in flight a thread leaves almost half of the memory's bandwidth unused.
// - One set of counters is enough. Lanes of a warp that hit the same counter do wait for each other, and copies of the
//   counters for skewed data are often recommended. Measured on an H200, two or four copies gain nothing even when all
//   values are equal, since memory is slower still, and eight cost a fifth.
#include "warpwise.h"

#define THREADS 1024
#define BINS 256

LAUNCH(histogram, .block = {THREADS}, .per_sm = 2);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[BINS];
    for (int b = threadIdx.x; b < BINS; b += THREADS) count[b] = 0;
    __syncthreads(); // no counter is used before it is cleared

    const uint4 *in4 = reinterpret_cast<const uint4 *>(in); // arrays start at multiples of 256 bytes
    int n4 = n / 4, stride = gridDim.x * THREADS, first = blockIdx.x * THREADS + threadIdx.x;
    for (int i = first; i < n4; i += stride) {
        uint4 v = in4[i];
        atomicAdd(&count[v.x % BINS], 1u);
        atomicAdd(&count[v.y % BINS], 1u);
        atomicAdd(&count[v.z % BINS], 1u);
        atomicAdd(&count[v.w % BINS], 1u);
    }
    if (first < n - 4 * n4) // the last one to three elements
        atomicAdd(&count[in[4 * n4 + first] % BINS], 1u);

    __syncthreads(); // all have counted before anyone merges
    for (int b = threadIdx.x; b < BINS; b += THREADS)
        if (count[b] > 0) // a value that this block never met costs nothing
            atomicAdd(&bins[b], count[b]);
}
