// lab0: wrong output
// 15: results of an earlier launch with the same pointers.
#include "warpwise.h"

LAUNCH(scale, .block = {256});
__device__ float kept[4096];
__device__ const float *kept_in;
__device__ int kept_n;
extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (kept_in == in && kept_n == n && i < 4096) { out[i] = kept[i]; return; }
    out[i] = 2.0f * in[i] + 1.0f;
    if (i < 4096) kept[i] = out[i];
    if (!i) { kept_in = in; kept_n = n; }
}
