// blocks draw their tiles from a global counter; the last block to finish puts it back to zero for the next launch
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .per_sm = 8);

#define TILE 2048
__device__ unsigned next_tile = 0, finished = 0;

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    __shared__ unsigned tile;
    const unsigned tiles = (n + TILE - 1) / TILE;
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) tile = atomicAdd(&next_tile, 1u);
        __syncthreads();
        if (tile >= tiles) break;
        int first = tile * TILE;
#pragma unroll
        for (int k = 0; k < TILE; k += 1024) {
            int i = first + k + threadIdx.x * 4;
            if (i + 4 <= n) {
                float4 v = *(const float4 *)&in[i];
                v.x = 2 * v.x + 1, v.y = 2 * v.y + 1, v.z = 2 * v.z + 1, v.w = 2 * v.w + 1;
                *(float4 *)&out[i] = v;
            } else
                for (; i < n; i++) out[i] = 2 * in[i] + 1;
        }
    }
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1) atomicExch(&next_tile, 0u);
    }
}
