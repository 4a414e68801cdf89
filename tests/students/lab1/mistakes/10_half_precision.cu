// refused: wrong output
// multiplies and adds in half precision, because it is faster
#include <cuda_fp16.h>
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 64});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 64 + threadIdx.y * 8;
    if (c >= N || r >= M) return;
    __half s[8];
#pragma unroll
    for (int i = 0; i < 8; i++) s[i] = __float2half(0.0f);
    for (int k = 0; k < K; k++) {
        __half b = __float2half(B[k * N + c]);
#pragma unroll
        for (int i = 0; i < 8; i++) s[i] = __hfma(__float2half(A[min(r + i, M - 1) * K + k]), b, s[i]);
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
        if (r + i < M) C[(r + i) * N + c] = __half2float(s[i]);
}
