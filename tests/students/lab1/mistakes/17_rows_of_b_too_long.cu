// refused: out of bounds at line 14; wrong output
// the rows of B have N elements, and the index takes K for it
// advice: line 14: write 'k * N' instead of 'k * K'
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 4}, .tile = {32, 16});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (col >= N) return;
    const float *below = B + col;
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int k = 0; k < K; ++k) { const float b = below[k * K];
        for (int j = 0; j < 4; ++j)
            if (row + 4 * j < M) sum[j] += A[(row + 4 * j) * K + k] * b;
    }
    for (int j = 0; j < 4; ++j)
        if (row + 4 * j < M) C[(row + 4 * j) * N + col] = sum[j];
}
