// refused: technique
// Correct and fast without the technique: a thread loads two neighbours, and the block sorts them out in shared
// memory, so that only the stores are coalesced. The cache saves most of what the loads waste.
#include "warpwise.h"

enum { BLOCK = 256, PAIRS = 2 * BLOCK };

LAUNCH(scale, .block = {BLOCK}, .per_sm = 8);

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    __shared__ float pair[PAIRS];
    int t = threadIdx.x;
    for (int base = blockIdx.x * PAIRS; base < n; base += gridDim.x * PAIRS) {
        if (base + 2 * t < n) pair[2 * t] = in[base + 2 * t];
        if (base + 2 * t + 1 < n) pair[2 * t + 1] = in[base + 2 * t + 1];
        __syncthreads();
        if (base + t < n) out[base + t] = 2.0f * pair[t] + 1.0f;
        if (base + BLOCK + t < n) out[base + BLOCK + t] = 2.0f * pair[BLOCK + t] + 1.0f;
        __syncthreads();
    }
}
