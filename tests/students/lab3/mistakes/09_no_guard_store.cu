// refused: out of bounds at line 69
// the second of two stores has the guard of the first
#include "warpwise.h"

template <int N, int D> struct Steps {
    static __device__ __forceinline__ unsigned run(unsigned *from, unsigned *to, unsigned v)
    {
        const int t = threadIdx.x;
        if (t >= D) v += from[t - D];
        to[t] = v;
        __syncthreads();
        return Steps<N, 2 * D>::run(to, from, v);
    }
};
template <int N> struct Steps<N, N> {
    static __device__ __forceinline__ unsigned run(unsigned *, unsigned *, unsigned v) { return v; }
};

template <int D> __device__ __forceinline__ void tree(unsigned *s)
{
    if (threadIdx.x < D) s[threadIdx.x] += s[threadIdx.x + D];
    __syncthreads();
    if constexpr (D > 1) tree<D / 2>(s);
}

constexpr int N = 512, PER = 2;

LAUNCH(block_sums, .block = {N}, .tile = {N * PER});
LAUNCH(scan_sums, .block = {N});
LAUNCH(scan_blocks, .block = {N}, .tile = {N * PER});

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned s[N];
    const int i = blockIdx.x * N * PER + threadIdx.x;
    s[threadIdx.x] = (i < n ? in[i] : 0) + (i + N < n ? in[i + N] : 0);
    __syncthreads();
    tree<N / 2>(s);
    if (threadIdx.x == 0) sums[blockIdx.x] = *s;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned s[2][N], total;
    unsigned carry = 0;
    for (int base = 0; base < m; base += N) {
        const int i = base + threadIdx.x;
        const unsigned own = i < m ? sums[i] : 0;
        s[0][threadIdx.x] = own;
        __syncthreads();
        const unsigned incl = Steps<N, 1>::run(s[0], s[1], own);
        if (threadIdx.x == N - 1) total = incl;
        if (i < m) sums[i] = carry + incl - own;
        __syncthreads();
        carry += total;
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned s[2][N];
    const int i = (blockIdx.x * N + threadIdx.x) * PER;
    const unsigned a = i < n ? in[i] : 0, b = i + 1 < n ? in[i + 1] : 0;
    s[0][threadIdx.x] = a + b;
    __syncthreads();
    const unsigned incl = Steps<N, 1>::run(s[0], s[1], a + b) + sums[blockIdx.x];
    if (i < n) {
        out[i] = incl - b;
        out[i + 1] = incl;
    }
}
