// refused: technique; too slow
// Eight sums a thread, in an array that is indexed by a variable the compiler does not know: registers have no
// index, so the array lies in local memory, and every += is a load and a store there.
#include "warpwise.h"

enum { ROWS = 8 };

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 8 * ROWS});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r0 = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS;
    if (c >= N) return;
    float sum[ROWS] = {};
    int rows = r0 + ROWS <= M ? ROWS : M - r0;
    for (int k = 0; k < K; k++) {
        float b = B[k * N + c];
#pragma unroll 1
        for (int i = 0; i < rows; i++) sum[i] += A[(r0 + i) * K + k] * b;
    }
#pragma unroll 1
    for (int i = 0; i < rows; i++) C[(r0 + i) * N + c] = sum[i];
}
