// refused: out of bounds at line 17
// rows behind A's last one are loaded (and thrown away), only the store is guarded
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {64, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * 64 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y * 4;
    if (c >= N || r >= M) return;
    int d = min(c + 32, N - 1);
    float s[4][2] = {};
    for (int k = 0; k < K; k++) {
        float x = B[k * N + c], y = B[k * N + d];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float a = A[(r + i) * K + k]; 
            s[i][0] += a * x;
            s[i][1] += a * y;
        }
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        if (r + i < M) C[(r + i) * N + c] = s[i][0];
        if (r + i < M && c + 32 < N) C[(r + i) * N + c + 32] = s[i][1];
    }
}
