// double-buffered input tiles in shared memory with cp.async (__pipeline_memcpy_async, 16 bytes each)
#include <cuda_pipeline.h>
#include "warpwise.h"

#define T 256
#define TILE (T * 4)

LAUNCH(histogram, .block = {T}, .per_sm = 8);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ __align__(16) uint4 stage[2][T];
    __shared__ unsigned count[256];
    count[threadIdx.x] = 0;
    __syncthreads();

    const int tiles = n / TILE;
    int now = 0;
    if (blockIdx.x < tiles) __pipeline_memcpy_async(&stage[0][threadIdx.x], in + (size_t)blockIdx.x * TILE + threadIdx.x * 4, 16);
    __pipeline_commit();
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int next = tile + gridDim.x;
        if (next < tiles) __pipeline_memcpy_async(&stage[now ^ 1][threadIdx.x], in + (size_t)next * TILE + threadIdx.x * 4, 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        // each thread counts what it fetched itself: no barrier
        const uint4 q = stage[now][threadIdx.x];
        atomicAdd(&count[q.x & 255], 1u);
        atomicAdd(&count[q.y & 255], 1u);
        atomicAdd(&count[q.z & 255], 1u);
        atomicAdd(&count[q.w & 255], 1u);
        now ^= 1;
    }
    __pipeline_wait_prior(0);
    if (blockIdx.x == 0)
        for (int i = tiles * TILE + threadIdx.x; i < n; i += T) atomicAdd(&count[in[i] & 255], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], count[threadIdx.x]);
}
