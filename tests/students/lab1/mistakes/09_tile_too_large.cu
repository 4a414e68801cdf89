// refused: output never written; wrong output
// LAUNCH says that a block covers 64 columns, it covers 32
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {64, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y * 4;
    if (c >= N || r >= M) return;
    float s[4] = {};
#pragma unroll 4
    for (int k = 0; k < K; k++) {
        float b = B[k * N + c];
#pragma unroll
        for (int i = 0; i < 4; i++) s[i] += A[min(r + i, M - 1) * K + k] * b;
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        if (r + i < M) C[(r + i) * N + c] = s[i];
}
