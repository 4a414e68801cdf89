// two-dimensional block: threadIdx.y is the warp
#include "warpwise.h"

LAUNCH(scale, .block = {32, 8}, .tile = {1024});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    const int lane = threadIdx.x, warp = threadIdx.y;
    // each warp has 128 neighbours, one line at a time
    int i = blockIdx.x * 1024 + warp * 128 + lane;
    for (int k = 0; k < 4; k++, i += 32)
        if (i < n)
            out[i] = 2 * in[i] + 1;
}
