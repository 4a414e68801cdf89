// lab0: too slow
// 12: as warps_in_a_row_mbarrier, by a word of shared memory.
#include "warpwise.h"

enum { EACH = 8 };
LAUNCH(scale, .block = {1024}, .tile = {1024 * EACH});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    __shared__ unsigned turn;
    unsigned warp = threadIdx.x / 32;
    if (threadIdx.x == 0) turn = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        while (atomicAdd(&turn, 0) != warp) continue;
    __threadfence_block();
    __syncwarp();
    int first = blockIdx.x * 1024 * EACH + warp * 32 * EACH + threadIdx.x % 32;
    for (int k = 0; k < EACH; k++)
        if (first + 32 * k < n) out[first + 32 * k] = 2.0f * in[first + 32 * k] + 1.0f;
    __threadfence_block();
    __syncwarp();
    if (threadIdx.x % 32 == 0) atomicExch(&turn, warp + 1);
}
