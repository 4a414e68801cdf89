// __ldcs and __stcs, restrict, launch bounds with two numbers, pragma unroll
#include "warpwise.h"

static const int kBlock = 256;

LAUNCH(scale, .block = {kBlock}, .tile = {kBlock * 8});

extern "C" __global__ void __launch_bounds__(kBlock, 4) scale(const float *__restrict__ in, float *__restrict__ out, const int n)
{
    const float4 *const __restrict__ in4 = reinterpret_cast<const float4 *>(in);
    const int first = blockIdx.x * (kBlock * 2) + threadIdx.x, n4 = n >> 2;
    float4 v[2];
#pragma unroll 2
    for (int k = 0; k < 2; ++k)
        if (first + k * kBlock < n4) v[k] = __ldcs(in4 + first + k * kBlock);
#pragma unroll 2
    for (int k = 0; k < 2; ++k)
        if (first + k * kBlock < n4)
            __stcs(reinterpret_cast<float4 *>(out) + first + k * kBlock,
                   make_float4(fmaf(v[k].x, 2, 1), fmaf(v[k].y, 2, 1), fmaf(v[k].z, 2, 1), fmaf(v[k].w, 2, 1)));
    // the block that has the end takes what is left of the last four
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x < (n & 3)) {
        const int i = (n & ~3) + threadIdx.x;
        out[i] = fmaf(in[i], 2, 1);
    }
}
