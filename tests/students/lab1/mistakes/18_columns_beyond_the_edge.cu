// refused: out of bounds at line 13; out of bounds at line 15; race at line 15; wrong output
// rows are guarded, columns are not: the last columns of a block are in the next row
// advice: put 'if (x >= N) return;' before line 11
#include "warpwise.h"

LAUNCH(matmul, .block = {64, 4}, .tile = {64, 16});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    unsigned x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y; float sum[4] = {};
    for (int k = 0; k < K; ++k)
        for (int j = 0; j < 4; ++j)
            if (y + 4 * j < M) sum[j] += A[(y + 4 * j) * K + k] * B[k * N + x];
    for (int j = 0; j < 4; ++j)
        if (y + 4 * j < M) C[(y + 4 * j) * N + x] = sum[j];
}
