// four loads in flight before the four atomics, #pragma unroll, __restrict__, __ldg, 64-bit indices
#include <cstdint>
#include <cstddef>
#include "warpwise.h"

#define UNROLL 4

LAUNCH(histogram, .block = {512}, .per_sm = 4);

extern "C" __global__ void histogram(const unsigned *__restrict__ in, unsigned *__restrict__ bins, int n)
{
    __shared__ uint32_t count[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) count[b] = 0;
    __syncthreads();
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (; i + (UNROLL - 1) * stride < (size_t)n; i += UNROLL * stride) {
        uint32_t v[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++) v[k] = __ldg(in + i + k * stride);
#pragma unroll
        for (int k = 0; k < UNROLL; k++) atomicAdd(count + (uint8_t)v[k], 1u);
    }
    for (; i < (size_t)n; i += stride) atomicAdd(count + (uint8_t)__ldg(in + i), 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        if (count[b]) atomicAdd(bins + b, count[b]);
}
