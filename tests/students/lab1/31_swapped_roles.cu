// threadIdx.x runs down the rows (exercise 5 tried out): right, and slow
// not passed: too slow
#include "warpwise.h"

LAUNCH(matmul, .block = {8, 32}, .tile = {32, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int r = blockIdx.y * 32 + threadIdx.x * 4, c = blockIdx.x * 32 + threadIdx.y;
    if (r >= M || c >= N) return;
    float s[4] = {};
    for (int k = 0; k < K; k++) {
        const float b = B[k * N + c];
        #pragma unroll
        for (int i = 0; i < 4; i++) s[i] += A[min(r + i, M - 1) * K + k] * b;
    }
    #pragma unroll
    for (int i = 0; i < 4; i++)
        if (r + i < M) C[(r + i) * N + c] = s[i];
}
