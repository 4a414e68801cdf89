// Eight rows a thread and a tile that says so. Small cases have one block with a larger tile, too.
//
// advice: passed: on to lab2
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 64});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 64 + threadIdx.y * 8;
    if (c >= N || r >= M) return;
    float s[8] = {};
    for (int k = 0; k < K; k++) {
        float b = B[k * N + c];
#pragma unroll
        for (int i = 0; i < 8; i++) s[i] += A[min(r + i, M - 1) * K + k] * b; 
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
        if (r + i < M) C[(r + i) * N + c] = s[i];
}
