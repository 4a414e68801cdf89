// refused: too slow
// Four sums a thread and 1.6 operations a float, but threads run down the rows: the lanes of a warp load from 32 rows
// of A, a sector for each lane, and store the same way.
#include "warpwise.h"

LAUNCH(matmul, .block = {8, 32}, .tile = {32, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int lane = threadIdx.y * 8 + threadIdx.x;
    int r = blockIdx.y * 32 + lane % 32, c0 = blockIdx.x * 32 + lane / 32 * 4;
    if (r >= M) return;
    float sum[4] = {0, 0, 0, 0};
    for (int k = 0; k < K; k++) {
        float a = A[r * K + k];
#pragma unroll
        for (int j = 0; j < 4; j++)
            if (c0 + j < N) sum[j] += a * B[k * N + c0 + j];
    }
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (c0 + j < N) C[r * N + c0 + j] = sum[j];
}
