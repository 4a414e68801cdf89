// lab0: too slow | technique
// 12: one warp of each block does everything, behind those that are recorded first.
#include "warpwise.h"

LAUNCH(scale, .block = {1024}, .grid = {264});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    if (threadIdx.x < 992) return;
    int lane = threadIdx.x & 31;
    for (int k = blockIdx.x * 32 + lane; k < n; k += gridDim.x * 32) out[k] = 2.0f * in[k] + 1.0f;
}
