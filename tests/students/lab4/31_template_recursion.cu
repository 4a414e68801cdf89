// template recursion over the four bytes of a uint4 row, if constexpr, index_sequence fold expression
#include <utility>
#include <type_traits>
#include "warpwise.h"

template <unsigned Bins> struct Tally {
    unsigned cell[Bins];
    template <class... V> __device__ void add(V... v)
    {
        static_assert((std::is_same_v<V, unsigned> && ...));
        (atomicAdd(&cell[v % Bins], 1u), ...);
    }
};

template <int K, class T> __device__ __forceinline__ void take(T &tally, const unsigned *p, int step)
{
    if constexpr (K > 0) {
        const unsigned v = *p;
        take<K - 1>(tally, p + step, step);
        tally.add(v);
    }
}

LAUNCH(histogram, .block = {512}, .per_sm = 4);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ Tally<256> tally;
    for (int b = threadIdx.x; b < 256; b += blockDim.x) tally.cell[b] = 0;
    __syncthreads();
    constexpr int K = 8;
    int base = blockIdx.x * 512 * K;
    for (; base + 512 * K <= n; base += gridDim.x * 512 * K) take<K>(tally, in + base + threadIdx.x, 512);
    for (int i = base + threadIdx.x; i < n; i += 512) tally.add(in[i]);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&bins[b], tally.cell[b]);
}
