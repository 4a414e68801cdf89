// no atomics at all in shared memory: a block a bin counts by votes (__syncthreads_count), as the ladder's second row
// not passed: technique; too slow
#include "warpwise.h"

LAUNCH(histogram, .block = {1024}, .grid = {256});

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned part[32];
    unsigned c = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) c += (in[i] & 255) == blockIdx.x;
    c = __reduce_add_sync(0xffffffffu, c);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = c;
    __syncthreads();
    if (threadIdx.x < 32) {
        c = __reduce_add_sync(0xffffffffu, part[threadIdx.x]);
        if (threadIdx.x == 0) bins[blockIdx.x] = c;
    }
}
