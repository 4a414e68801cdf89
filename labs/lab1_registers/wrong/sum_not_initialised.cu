// refused: never written at line 14
// A local variable holds whatever its register held before. Often that is zero.
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= M || c >= N) return;
    float sum;
    for (int k = 0; k < K; k++)
        sum += A[r * K + k] * B[k * N + c];
    C[r * N + c] = sum;
}
