// The sum is a variable of the thread, in a register, and is written once.
#include "warpwise.h"

LAUNCH(matmul, .block = {8, 4});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= M || c >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; k++)
        sum += A[r * K + k] * B[k * N + c];
    C[r * N + c] = sum;
}
