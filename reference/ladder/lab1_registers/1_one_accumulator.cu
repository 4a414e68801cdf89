// Rung 1: the sum in a register, stored once. Two accesses for two operations.
//
// Flaw: a warp of 16 x 16 threads spans two rows of C, so its load from A meets two addresses and its load from B 16
// columns twice over: 64 bytes of use for an instruction that could bring 128. Rung 2 gives a warp one row.
#include "warpwise.h"

LAUNCH(matmul, .block = {16, 16});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= M || c >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; k++) sum += A[r * K + k] * B[k * N + c];
    C[r * N + c] = sum;
}
