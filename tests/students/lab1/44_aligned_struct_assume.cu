// an alignas(16) struct with a union of names, __builtin_assume, __builtin_expect, noexcept
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {64, 32});

struct alignas(16) Quad {
    float v[4];
    __device__ float &operator[](int i) noexcept { return v[i]; }
    __device__ const float &operator[](int i) const noexcept { return v[i]; }
    __device__ Quad &axpy(float a, const Quad &x) noexcept
    {
#pragma unroll
        for (int i = 0; i < 4; ++i) v[i] += a * x[i];
        return *this;
    }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __builtin_assume(K >= 0);
    const int c = blockIdx.x * 64 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y * 4;
    if (__builtin_expect(c >= N || r >= M, 0)) return;
    const bool two = c + 32 < N;
    const int d = two ? c + 32 : c;
    Quad s0{}, s1{};
#pragma unroll 4
    for (int k = 0; k < K; ++k) {
        Quad a;
#pragma unroll
        for (int i = 0; i < 4; ++i) a[i] = A[min(r + i, M - 1) * K + k];
        s0.axpy(B[k * N + c], a);
        s1.axpy(B[k * N + d], a);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        if (r + i >= M) break;
        C[(r + i) * N + c] = s0[i];
        if (two) C[(r + i) * N + c + 32] = s1[i];
    }
}
