// refused: misaligned access at line 12; misaligned access at line 13; output never written; wrong output
// the scalars first, then float4 from element n % 4 on: not aligned to 16 bytes
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .per_sm = 8);

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, head = n % 4;
    if (t < head) out[t] = 2.0f * in[t] + 1.0f;
    for (int i = t; i < n / 4; i += gridDim.x * blockDim.x) {
        float4 v = *(const float4 *)(in + head + 4 * i);
        *(float4 *)(out + head + 4 * i) = make_float4(2 * v.x + 1, 2 * v.y + 1, 2 * v.z + 1, 2 * v.w + 1);
    }
}
