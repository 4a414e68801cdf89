// grid stride over tiles with .per_sm, two barriers a turn
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 8}, .per_sm = 8);

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[32][33];
    const int across = (C + 31) / 32, down = (R + 31) / 32;
    const long long blocks = (long long)gridDim.x * gridDim.y * gridDim.z;
    const long long me = blockIdx.x + gridDim.x * (blockIdx.y + (long long)gridDim.y * blockIdx.z);
    for (long long t = me; t < (long long)across * down; t += blocks) {
        const int x0 = t % across * 32, y0 = t / across * 32;
        for (int k = threadIdx.y; k < 32; k += 8)
            if (x0 + threadIdx.x < C && y0 + k < R) tile[k][threadIdx.x] = in[(size_t)(y0 + k) * C + x0 + threadIdx.x];
        __syncthreads();
        for (int k = threadIdx.y; k < 32; k += 8)
            if (y0 + threadIdx.x < R && x0 + k < C) out[(size_t)(x0 + k) * R + y0 + threadIdx.x] = tile[threadIdx.x][k];
        __syncthreads();
    }
}
