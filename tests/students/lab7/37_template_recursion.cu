// template recursion unrolls the rows, std::integral_constant, __noinline__ halves
#include <type_traits>
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 8}, .tile = {32, 32});

template <int K, typename F> __device__ __forceinline__ void rows(F f)
{
    if constexpr (K < 32) {
        f(std::integral_constant<int, K>{});
        rows<K + 8>(f);
    }
}
__device__ __noinline__ void fetch(float (*tile)[33], const float *in, int R, int C)
{
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    float v[4] = {};
    rows<0>([&](auto k) { if (x < C && y + k < R) v[k / 8] = in[(size_t)(y + k) * C + x]; });
    rows<0>([&](auto k) { tile[threadIdx.y + k][threadIdx.x] = v[k / 8]; });
}
__device__ __noinline__ void put(float (*tile)[33], float *out, int R, int C)
{
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    rows<0>([&](auto k) { if (x < R && y + k < C) out[(size_t)(y + k) * R + x] = tile[threadIdx.x][threadIdx.y + k]; });
}

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[32][33];
    fetch(tile, in, R, C);
    __syncthreads();
    put(tile, out, R, C);
}
