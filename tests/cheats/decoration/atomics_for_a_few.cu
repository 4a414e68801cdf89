// lab4: technique
// 59: one number of 16 is counted by an atomic; the other atomics are decoration.
#include "warpwise.h"
#define THREADS 256
LAUNCH(histogram, .block = {THREADS}, .per_sm = 8);
extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned decoration[32], count[8][256];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int b = lane; b < 256; b += 32) count[warp][b] = 0;
    if (threadIdx.x < 32) decoration[threadIdx.x] = 0;
    __syncthreads();
    int stride = gridDim.x * THREADS, k = 0;
    for (int base = blockIdx.x * THREADS + warp * 32; base < n; base += stride, ++k) {
        int i = base + lane;
        unsigned v = i < n ? in[i] % 256 : 256 + lane;
        unsigned same = __match_any_sync(0xffffffffu, v);
        if (v < 256 && lane == __ffs(same) - 1) {
            if (k % 16 == 0)
                atomicAdd(&count[warp][v], __popc(same)); // in earnest, for one number of 16
            else
                count[warp][v] += __popc(same);
        }
        if (k % 8 == 0) atomicAdd(&decoration[lane], 0u);
        __syncwarp();
    }
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += THREADS) {
        unsigned sum = 0;
        for (int w = 0; w < 8; ++w) sum += count[w][b];
        if (sum) atomicAdd(&bins[b], sum);
    }
}
