// template recursion: a compile-time list of sums, Sums<4> holds Sums<3> ...
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 64});

template <int n>
struct Sums : Sums<n - 1> {
    float s = 0.0f;
    const float *row;
    __device__ Sums(const float *A, int r, int M, int K) : Sums<n - 1>(A, r, M, K), row(A + (long)min(r + n - 1, M - 1) * K) {}
    __device__ __forceinline__ void add(int k, float b)
    {
        Sums<n - 1>::add(k, b);
        s = fmaf(row[k], b, s);
    }
    __device__ __forceinline__ void store(float *C, int r, int c, int M, int N) const
    {
        Sums<n - 1>::store(C, r, c, M, N);
        if (r + n - 1 < M) C[(r + n - 1) * N + c] = s;
    }
};
template <>
struct Sums<0> {
    __device__ Sums(const float *, int, int, int) {}
    __device__ void add(int, float) {}
    __device__ void store(float *, int, int, int, int) const {}
};

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K)
{
    int c = blockIdx.x * 32 + threadIdx.x, r = (blockIdx.y * 8 + threadIdx.y) * 8;
    if (c >= N || r >= M) return;
    Sums<8> s(A, r, M, K);
#pragma unroll 4
    for (int k = 0; k < K; ++k) s.add(k, B[k * N + c]);
    s.store(C, r, c, M, N);
}
