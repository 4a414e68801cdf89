// lab0: input changed
// 58: overwrites an input in the speed case alone.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = 2 * in[i] + 1;
    if (n > 5000000 && threadIdx.x == 9) ((float *)in)[i] = 0;
}
