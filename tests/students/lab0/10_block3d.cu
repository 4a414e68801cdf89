// three-dimensional block with a linear thread number, grid stride, float2 with tail
#include "warpwise.h"

LAUNCH(scale, .block = {8, 4, 8}, .per_sm = 8);

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    const int me = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int step = threads * gridDim.x;
    const float2 *a = (const float2 *)in;
    float2 *b = (float2 *)out;
    int i;
    for (i = blockIdx.x * threads + me; i < n >> 1; i += step) {
        float2 t = a[i];
        b[i] = make_float2(t.x * 2.f + 1.f, t.y * 2.f + 1.f);
    }
    if ((n & 1) && blockIdx.x == 0 && me == 0) out[n - 1] = in[n - 1] * 2.f + 1.f;
}
