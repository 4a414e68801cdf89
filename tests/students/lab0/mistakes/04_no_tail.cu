// refused: output never written; wrong output
// float4 without the tail: the last n % 4 elements are never stored
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .per_sm = 8);

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    const float4 *in4 = (const float4 *)in;
    float4 *out4 = (float4 *)out;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
        float4 v = in4[i];
        v.x = 2 * v.x + 1;
        v.y = 2 * v.y + 1;
        v.z = 2 * v.z + 1;
        v.w = 2 * v.w + 1;
        out4[i] = v;
    }
}
