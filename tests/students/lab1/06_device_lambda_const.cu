// [] __device__ lambdas passed to a __device__ for_each template
#include "warpwise.h"
LAUNCH(matmul, .block = {32, 8}, .tile = {64, 32});

template <int BEGIN, int END, class F>
__device__ __forceinline__ void repeat(F &&f)
{
    if constexpr (BEGIN < END) {
        f(BEGIN);
        repeat<BEGIN + 1, END>(f);
    }
}

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K)
{
    int c = blockIdx.x * 64 + threadIdx.x, r = blockIdx.y * 32 + 4 * threadIdx.y;
    if (c >= N || r >= M) return;
    float acc[4][2];
    repeat<0, 4>([&] __device__ (int i) { acc[i][0] = acc[i][1] = 0.f; });
    int c2 = c + 32 < N ? c + 32 : c;
    const float *p[4];
    repeat<0, 4>([&] __device__ (int i) { p[i] = A + (size_t)(r + i < M ? r + i : M - 1) * K; });
    #pragma unroll 8
    for (int k = 0; k < K; k++) {
        float b0 = B[k * N + c], b1 = B[k * N + c2];
        repeat<0, 4>([&] __device__ (int i) {
            float a = p[i][k];
            acc[i][0] += a * b0;
            acc[i][1] += a * b1;
        });
    }
    repeat<0, 4>([&] __device__ (int i) {
        if (r + i >= M) return;
        C[(r + i) * N + c] = acc[i][0];
        if (c + 32 < N) C[(r + i) * N + c + 32] = acc[i][1];
    });
}
