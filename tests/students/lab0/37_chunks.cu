// the CPU programmer: a contiguous chunk for each thread (right, but the handout's flaw)
// not passed: technique; too slow
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {256 * 16});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int begin = (blockIdx.x * 256 + threadIdx.x) * 16;
    int end = begin + 16 < n ? begin + 16 : n;
    for (int i = begin; i < end; i++) out[i] = 2.0f * in[i] + 1.0f;
}
