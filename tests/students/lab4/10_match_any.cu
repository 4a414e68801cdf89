// __match_any_sync and __popc: the lowest lane of those with the same bin adds for all of them
#include "warpwise.h"

LAUNCH(histogram, .block = {256}, .per_sm = 8);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[256];
    count[threadIdx.x] = 0;
    __syncthreads();

    const int lane = threadIdx.x & 31;
    const int stride = gridDim.x * blockDim.x;
    // all lanes of a warp make the same number of turns, so that the mask is full
    for (int base = blockIdx.x * blockDim.x + (threadIdx.x & ~31); base < n; base += stride) {
        const int i = base + lane;
        const unsigned key = i < n ? in[i] & 255 : 256;
        const unsigned peers = __match_any_sync(0xffffffff, key);
        if (key < 256 && lane == __ffs(peers) - 1) atomicAdd(&count[key], __popc(peers));
    }
    __syncthreads();
    if (count[threadIdx.x]) atomicAdd(&bins[threadIdx.x], count[threadIdx.x]);
}
