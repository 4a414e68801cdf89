// lab0: out of bounds
// 58: reads and writes beyond both arrays in the speed case alone, in every block.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (n > 5000000 && threadIdx.x == 7) out[n + i] = in[n + i];
    if (i < n) out[i] = 2 * in[i] + 1;
}
