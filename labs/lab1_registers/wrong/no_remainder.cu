// refused: wrong output
// The loop was unrolled by four, and the last K % 4 terms were forgotten.
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r0 = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
    if (c >= N) return;
    float sum[4] = {0, 0, 0, 0};
    for (int step = 0; step < K / 4; step++)
        for (int k = 4 * step; k < 4 * step + 4; k++)
#pragma unroll
            for (int i = 0; i < 4; i++)
                if (r0 + i < M) sum[i] += A[(r0 + i) * K + k] * B[k * N + c];
#pragma unroll
    for (int i = 0; i < 4; i++)
        if (r0 + i < M) C[(r0 + i) * N + c] = sum[i];
}
