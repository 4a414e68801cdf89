// double buffering through shared memory with __pipeline_memcpy_async, each thread its own slots (no barrier needed)
#include <cuda_pipeline.h>
#include "warpwise.h"

#define T 256

LAUNCH(scale, .block = {T}, .per_sm = 8);

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    __shared__ __align__(16) float4 stage[2][T];
    const int t = threadIdx.x, n4 = n / 4, step = gridDim.x * T;
    const float4 *src = (const float4 *)in;
    float4 *dst = (float4 *)out;
    int i = blockIdx.x * T + t, now = 0;
    if (i < n4) __pipeline_memcpy_async(&stage[0][t], src + i, 16);
    __pipeline_commit();
    for (; i < n4; i += step, now ^= 1) {
        int next = i + step;
        if (next < n4) __pipeline_memcpy_async(&stage[now ^ 1][t], src + next, sizeof(float4));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        float4 v = stage[now][t];
        v.x = 2.f * v.x + 1.f;
        v.y = 2.f * v.y + 1.f;
        v.z = 2.f * v.z + 1.f;
        v.w = 2.f * v.w + 1.f;
        dst[i] = v;
    }
    __pipeline_wait_prior(0);
    int tail = n4 * 4 + t;
    if (blockIdx.x == gridDim.x - 1 && tail < n) out[tail] = 2.f * in[tail] + 1.f;
}
