// float4 in a grid-stride loop, scalar tail by the first threads of the grid
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .per_sm = 8);

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    const float4 *in4 = reinterpret_cast<const float4 *>(in);
    float4 *out4 = reinterpret_cast<float4 *>(out);
    const int n4 = n / 4;
    for (int i = t; i < n4; i += all) {
        float4 v = in4[i];
        v.x = 2.0f * v.x + 1.0f;
        v.y = 2.0f * v.y + 1.0f;
        v.z = 2.0f * v.z + 1.0f;
        v.w = 2.0f * v.w + 1.0f;
        out4[i] = v;
    }
    const int tail = 4 * n4 + t;
    if (tail < n) out[tail] = 2.0f * in[tail] + 1.0f;
}
