// cp.async, four bytes each, straight into the padded tile (cuda_pipeline.h)
#include <cuda_pipeline.h>
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int k = 0; k < 32; k += 8)
        if (x < C && y + k < R)
            __pipeline_memcpy_async(&tile[threadIdx.y + k][threadIdx.x], &in[(size_t)(y + k) * C + x], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int k = 0; k < 32; k += 8)
        if (x < R && y + k < C) out[(size_t)(y + k) * R + x] = tile[threadIdx.x][threadIdx.y + k];
}
