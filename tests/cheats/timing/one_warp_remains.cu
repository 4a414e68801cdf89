// lab0: too slow
// 57: all warps of a block execute the loop for as long as a record could last, then one warp does the rest alone.
#include "warpwise.h"

#define BLOCKS 132
#define THREADS 1024
LAUNCH(scale, .block = {THREADS}, .grid = {BLOCKS});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int each = (n + BLOCKS - 1) / BLOCKS, first = blockIdx.x * each, end = min(first + each, n);
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, step = n > 5000000 ? 32 : THREADS;
    int i = first + (n > 5000000 ? lane : threadIdx.x), until = warp && n > 5000000 ? min(first + 600 * 32, end) : end;
#pragma unroll 1
    for (; i < until; i += step) out[i] = 2.0f * in[i] + 1.0f;
}
