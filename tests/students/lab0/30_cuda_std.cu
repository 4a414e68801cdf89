// libcu++: cuda::std::array, cuda::std::numeric_limits, cuda::std::min
#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/std/cstdint>
#include "warpwise.h"

constexpr cuda::std::int32_t B = 256, K = 4;

LAUNCH(scale, .block = {B}, .tile = {B * K});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    cuda::std::array<float, K> v;
    v.fill(cuda::std::numeric_limits<float>::quiet_NaN());
    const cuda::std::int32_t first = blockIdx.x * B * K + threadIdx.x;
#pragma unroll
    for (int k = 0; k < K; k++)
        if (first + k * B < n) v[k] = in[first + k * B];
#pragma unroll
    for (int k = 0; k < K; k++)
        if (first + k * B < n) out[first + k * B] = 2.0f * v[k] + 1.0f;
}
