// refused: technique
// Correct and fast without the technique: two neighbours a thread, one after the other. Each instruction of a warp
// touches every second element, eight sectors for 128 bytes; the cache saves the loads, and nobody the stores.
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {512});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int first = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (first < n) out[first] = 2.0f * in[first] + 1.0f;
    if (first + 1 < n) out[first + 1] = 2.0f * in[first + 1] + 1.0f;
}
