// 32 rows a thread and a tile that says so. One block covers each visible case, with a larger tile, too.
// not passed: too slow
// advice: 'matmul' takes most of the time
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 256});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 256 + threadIdx.y * 32;
    if (c >= N || r >= M) return;
    float s[32] = {};
    for (int k = 0; k < K; k++) {
        float b = B[k * N + c];
#pragma unroll
        for (int i = 0; i < 32; i++) s[i] += A[min(r + i, M - 1) * K + k] * b; 
    }
#pragma unroll
    for (int i = 0; i < 32; i++)
        if (r + i < M) C[(r + i) * N + c] = s[i];
}
