// refused: out of bounds at line 12
// Rows compared with N, columns with M: right for square matrices, which is what people try.
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= N || c >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; k++) sum += A[r * K + k] * B[k * N + c];
    C[r * N + c] = sum;
}
