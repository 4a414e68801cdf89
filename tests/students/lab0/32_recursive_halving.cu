// real recursion: a warp halves its range until it fits the lanes
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {1024});

__device__ __noinline__ void go(const float *in, float *out, int first, int count)
{
    if (count <= 0) return;
    if (count <= 32) {
        int lane = threadIdx.x % 32;
        if (lane < count) out[first + lane] = 2.0f * in[first + lane] + 1.0f;
        return;
    }
    int half = (count / 2 + 31) / 32 * 32;
    go(in, out, first, half);
    go(in, out, first + half, count - half);
}

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int first = blockIdx.x * 1024 + threadIdx.x / 32 * 128;
    go(in, out, first, min(128, n - first));
}
