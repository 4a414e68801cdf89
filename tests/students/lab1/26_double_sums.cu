// sums in double, rounded once at the end: nearly exact, and an H200 has a good double pipe
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K)
{
    int c = blockIdx.x * 32 + threadIdx.x;
    int r = blockIdx.y * 32 + threadIdx.y * 4;
    if (c >= N || r >= M) return;
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    const float *a0 = A + (size_t)r * K;
    const float *a1 = A + (size_t)min(r + 1, M - 1) * K;
    const float *a2 = A + (size_t)min(r + 2, M - 1) * K;
    const float *a3 = A + (size_t)min(r + 3, M - 1) * K;
    for (int k = 0; k < K; k++) {
        double b = B[(size_t)k * N + c];
        s0 += a0[k] * b;
        s1 += a1[k] * b;
        s2 += a2[k] * b;
        s3 += a3[k] * b;
    }
    C[(size_t)r * N + c] = (float)s0;
    if (r + 1 < M) C[(size_t)(r + 1) * N + c] = (float)s1;
    if (r + 2 < M) C[(size_t)(r + 2) * N + c] = (float)s2;
    if (r + 3 < M) C[(size_t)(r + 3) * N + c] = (float)s3;
}
