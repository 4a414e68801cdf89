// refused: technique; too slow
// a block a bin, every block reads everything: no atomics in shared memory
#include "warpwise.h"

LAUNCH(histogram, .block = {256}, .per_sm = 8);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    // block b counts the bins b, b + gridDim.x, ... all by itself
    __shared__ unsigned part[8];
    for (int bin = blockIdx.x; bin < 256; bin += gridDim.x) {
        unsigned c = 0;
        for (int i = threadIdx.x; i < n; i += blockDim.x) c += (in[i] & 255) == bin;
        c = __reduce_add_sync(0xffffffff, c);
        if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = c;
        __syncthreads();
        if (threadIdx.x == 0) {
            c = 0;
            for (int w = 0; w < 8; w++) c += part[w];
            atomicAdd(&bins[bin], c);
        }
        __syncthreads();
    }
}
