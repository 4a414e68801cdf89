// refused: technique
// Right and fast, but not by atomics: each warp has counters of its own, lanes with equal values find each other by
// __match_any_sync, and one of them adds for all. The lesson is the atomic.
#include "warpwise.h"

#define WARPS 8

LAUNCH(histogram, .block = {WARPS * 32}, .per_sm = 4);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[WARPS][256];
    unsigned lane = threadIdx.x % 32, *mine = count[threadIdx.x / 32];
    for (int b = lane; b < 256; b += 32) mine[b] = 0;
    __syncwarp();
    int stride = gridDim.x * blockDim.x;
    for (int first = blockIdx.x * blockDim.x + threadIdx.x - lane; first < n; first += stride) {
        int i = first + lane;
        unsigned bin = i < n ? in[i] & 255 : 256 + lane; // a lane behind the end matches nobody
        unsigned alike = __match_any_sync(0xffffffffu, bin);
        if (i < n && lane == __ffs(alike) - 1) mine[bin] += __popc(alike);
        __syncwarp();
    }
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) {
        unsigned sum = 0;
        for (int w = 0; w < WARPS; ++w) sum += count[w][b];
        atomicAdd(&bins[b], sum);
    }
}
