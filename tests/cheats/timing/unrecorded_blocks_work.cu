// lab0: time cannot be measured | too slow | speed case not run to its end
// 57: a hundredth of the blocks does all the work, so that the recorded blocks are others. One block works a little more
// in code of its own, so that the record of the longest block does not show the work either.
#include "warpwise.h"

#define BLOCKS 10000
#define WORKERS 100
LAUNCH(scale, .block = {32}, .grid = {BLOCKS});

static __device__ float value(float x)
{
    return 2.0f * x + 1.0f;
}

static __device__ __noinline__ void work(const float *in, float *out, int from, int n)
{
#pragma unroll 1
    for (int i = from; i < n; i += WORKERS * 32) out[i] = value(in[i]);
}

static __device__ __noinline__ void work_longest(const float *in, float *out, int from, int n)
{
#pragma unroll 1
    for (int i = from; i < n; i += WORKERS * 32) {
        for (int k = 0; k < 3; ++k) __threadfence_block();
        out[i] = value(in[i]);
    }
}

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    if (blockIdx.x % (BLOCKS / WORKERS)) return;
    int from = blockIdx.x / (BLOCKS / WORKERS) * 32 + threadIdx.x;
    if (blockIdx.x)
        work(in, out, from, n);
    else
        work_longest(in, out, from, n);
}
