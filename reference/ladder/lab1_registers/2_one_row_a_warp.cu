// Rung 2: blocks of 32 x 8, so that a warp lies in one row: one address of A, 128 contiguous bytes of B.
//
// Flaw: still two loads for one multiply-add. The loads, not the arithmetic, keep the multiprocessor busy: one load
// instruction passes in the time of four multiply-adds. Rung 3 uses each float of B four times.
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= M || c >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; k++) sum += A[r * K + k] * B[k * N + c];
    C[r * N + c] = sum;
}
