// the number of rows of a thread known at run time only: the sums lie in local memory
// not passed: technique; too slow
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y * 4;
    if (c >= N || r >= M) return;
    int rows = min(4, M - r);
    float s[4];
    for (int i = 0; i < rows; i++) s[i] = 0;
    for (int k = 0; k < K; k++) {
        float b = B[k * N + c];
        #pragma unroll 1
        for (int i = 0; i < rows; i++) s[i] += A[(r + i) * K + k] * b;
    }
    for (int i = 0; i < rows; i++) C[(r + i) * N + c] = s[i];
}
