// refused: technique
// brings A's columns to shared memory, which this lab does not want
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {64, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[32][33];
    int tx = threadIdx.x, ty = threadIdx.y;
    int c = blockIdx.x * 64 + tx, d = c + 32, r = blockIdx.y * 32;
    float s[4] = {}, t[4] = {};
    for (int m = 0; m < K; m += 32) {
#pragma unroll
        for (int i = 0; i < 32; i += 8) a[ty + i][tx] = r + ty + i < M && m + tx < K ? A[(r + ty + i) * K + m + tx] : 0.0f;
        __syncthreads();
        int n = min(32, K - m);
#pragma unroll 4
        for (int k = 0; k < n; k++) {
            float x = B[(m + k) * N + min(c, N - 1)], y = B[(m + k) * N + min(d, N - 1)];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                s[i] += a[ty * 4 + i][k] * x;
                t[i] += a[ty * 4 + i][k] * y;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        int q = r + ty * 4 + i;
        if (q < M && c < N) C[q * N + c] = s[i];
        if (q < M && d < N) C[q * N + d] = t[i];
    }
}
