// lab0: not passed
// 50: and one without a bottom.
#include "warpwise.h"

LAUNCH(scale, .block = {256});
__device__ __noinline__ float down(int n) { volatile float a[64]; a[n & 63] = 1.0f; return n > -1000000000 ? down(n - 1) + a[n & 63] : 0.0f; }
extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + down(n) * 0.0f + 1.0f;
}
