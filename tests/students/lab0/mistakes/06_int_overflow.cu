// refused: output never written; wrong output
// each warp's share is n * w / warps in 32 bits, which overflows for large n
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .per_sm = 8);

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    unsigned w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, warps = gridDim.x * blockDim.x / 32, lane = threadIdx.x % 32;
    unsigned first = n * w / warps, last = n * (w + 1) / warps;
    for (unsigned i = first + lane; i < last; i += 32) out[i] = 2.0f * in[i] + 1.0f;
}
