// refused: out of bounds at line 25; wrong output
// i <= n in the grid stride
#include "warpwise.h"

LAUNCH(histogram, .block = {1024}, .per_sm = 2);

template <class F> __device__ __forceinline__ void for_each_bin(F f)
{
    for (unsigned b = threadIdx.x; b < 256u; b += blockDim.x) f(b);
}

template <class F> __device__ __forceinline__ void for_each_in_grid(int n, F f)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += gridDim.x * blockDim.x) f(i);
}

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[256];
    auto bin_of = [] __device__ (unsigned x) { return x & 0xffu; };
    auto bump = [&](auto bin, auto by) { atomicAdd(&count[bin], by); };

    for_each_bin([&](unsigned b) { count[b] = 0; });
    __syncthreads();
    for_each_in_grid(n, [&](auto i) { bump(bin_of(in[i]), 1u); });
    __syncthreads();
    for_each_bin([&](unsigned b) { atomicAdd(bins + b, count[b]); });
}
