// a __device__ table of function pointers, one kernel body for each number of rows that is left
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {64, 32});

typedef void (*body_t)(const float *, const float *, float *, int, int, int);

template <int R>
__device__ void body(const float *A, const float *B, float *C, int N, int K, int two)
{
    float s[R], t[R];
#pragma unroll
    for (int i = 0; i < R; i++) s[i] = t[i] = 0.0f;
    const int next = two ? 32 : 0;
#pragma unroll 4
    for (int k = 0; k < K; k++) {
        const float x = B[k * N], y = B[k * N + next];
#pragma unroll
        for (int i = 0; i < R; i++) s[i] += A[i * K + k] * x, t[i] += A[i * K + k] * y;
    }
#pragma unroll
    for (int i = 0; i < R; i++) {
        C[i * N] = s[i];
        if (two) C[i * N + 32] = t[i];
    }
}

__device__ body_t bodies[] = {body<1>, body<2>, body<3>, body<4>};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int c = blockIdx.x * 64 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y * 4;
    if (c >= N || r >= M) return;
    bodies[min(M - r, 4) - 1](A + r * K, B + c, C + r * N + c, N, K, c + 32 < N);
}
