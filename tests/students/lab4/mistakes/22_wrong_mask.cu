// refused: bad lane mask at line 19; bad lane mask at line 23; barrier in divergent code at line 19; barrier in divergent code at line 28
// ballots inside if (i < n) with the full mask
#include "warpwise.h"

#define THREADS 256

LAUNCH(histogram, .block = {THREADS}, .per_sm = 8);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[256];
    count[threadIdx.x] = 0;
    __syncthreads();
    const unsigned below = (1u << (threadIdx.x & 31)) - 1;
    const int rounds = (n + gridDim.x * THREADS - 1) / (gridDim.x * THREADS);
    for (int r = 0; r < rounds; r++) {
        const int i = (r * gridDim.x + blockIdx.x) * THREADS + threadIdx.x;
        if (i >= n) break;
        unsigned same = __ballot_sync(~0u, i < n);
        const unsigned v = in[i];
#pragma unroll
        for (int bit = 0; bit < 8; bit++) {
            const unsigned ones = __ballot_sync(~0u, v >> bit & 1);
            same &= v >> bit & 1 ? ones : ~ones;
        }
        if (i < n && (same & below) == 0) atomicAdd(&count[v & 255], (unsigned)__popc(same));
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], count[threadIdx.x]);
}
