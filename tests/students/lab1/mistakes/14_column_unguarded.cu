// refused: out of bounds at line 27; race at line 26; race at line 27; wrong output
// the second column of a thread is clamped for the load and forgotten for the store
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {64, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * 64 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y * 4;
    if (c >= N || r >= M) return;
    int d = min(c + 32, N - 1);
    float s[4] = {}, t[4] = {};
#pragma unroll 4
    for (int k = 0; k < K; k++) {
        float x = B[k * N + c], y = B[k * N + d];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float a = A[min(r + i, M - 1) * K + k];
            s[i] += a * x;
            t[i] += a * y;
        }
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        if (r + i < M) {
            C[(r + i) * N + c] = s[i];
            C[(r + i) * N + c + 32] = t[i]; 
        }
}
