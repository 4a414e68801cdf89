// refused: technique; too slow
// A smaller chunk than the baseline's is still a chunk: lanes 32 bytes apart, a sector for every element.
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {256 * 8});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int i = first; i < first + 8 && i < n; i++) out[i] = 2.0f * in[i] + 1.0f;
}
