// refused: misaligned access at line 19; wrong output
// float4 loads along A's rows although K need not be a multiple of 4
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {64, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * 64 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y * 4;
    if (c >= N || r >= M) return;
    int d = min(c + 32, N - 1);
    float s[4] = {}, t[4] = {};
    int k = 0;
    for (; k + 4 <= K; k += 4) {
        float x0 = B[k * N + c], x1 = B[(k + 1) * N + c], x2 = B[(k + 2) * N + c], x3 = B[(k + 3) * N + c];
        float y0 = B[k * N + d], y1 = B[(k + 1) * N + d], y2 = B[(k + 2) * N + d], y3 = B[(k + 3) * N + d];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float4 a = *(const float4 *)&A[min(r + i, M - 1) * K + k]; 
            s[i] += a.x * x0 + a.y * x1 + a.z * x2 + a.w * x3;
            t[i] += a.x * y0 + a.y * y1 + a.z * y2 + a.w * y3;
        }
    }
    for (; k < K; k++)
#pragma unroll
        for (int i = 0; i < 4; i++) {
            s[i] += A[min(r + i, M - 1) * K + k] * B[k * N + c];
            t[i] += A[min(r + i, M - 1) * K + k] * B[k * N + d];
        }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        if (r + i < M) C[(r + i) * N + c] = s[i];
        if (r + i < M && c + 32 < N) C[(r + i) * N + c + 32] = t[i];
    }
}
