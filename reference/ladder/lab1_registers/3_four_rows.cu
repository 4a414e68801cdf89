// Rung 3, the lesson's own step: four rows a thread, four sums in registers. Five loads for four multiply-adds.
//
// Flaw: each float of A is still used once only, and comes alone although its neighbour is needed in the next turn. The
// reference gives a thread four columns as well (eight loads for sixteen multiply-adds) and takes A's floats by fours.
#include "warpwise.h"

enum { ROWS = 4 };

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 8 * ROWS});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r0 = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS;
    if (c >= N) return;
    const float *row[ROWS]; // beyond the last row: the last, loaded for nothing and not stored
#pragma unroll
    for (int i = 0; i < ROWS; i++) row[i] = A + (r0 + i < M ? r0 + i : M - 1) * K;
    float sum[ROWS] = {};
    for (int k = 0; k < K; k++) {
        float b = B[k * N + c];
#pragma unroll
        for (int i = 0; i < ROWS; i++) sum[i] += row[i][k] * b;
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++)
        if (r0 + i < M) C[(r0 + i) * N + c] = sum[i];
}
