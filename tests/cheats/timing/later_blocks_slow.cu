// lab0: technique
// 57: blocks that look at each other run in order; the first ones are coalesced, the later ones are not.
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {1024});

static __device__ volatile int seen;

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int first = blockIdx.x * 1024, late = blockIdx.x > gridDim.x / 4 + seen;
    for (int k = 0; k < 4; ++k) {
        int i = first + (late ? threadIdx.x * 4 + k : k * 256 + threadIdx.x);
        if (i < n) out[i] = 2.0f * in[i] + 1.0f;
    }
}
