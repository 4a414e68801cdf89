// refused: technique; too slow
// four rows a thread, but the sums are kept in C itself
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y * 4;
    if (r >= M || c >= N) return;
    int rows = min(4, M - r);
    for (int i = 0; i < rows; i++) C[(r + i) * N + c] = 0.0f;
    for (int k = 0; k < K; k++) {
        float b = B[k * N + c];
        for (int i = 0; i < rows; i++) C[(r + i) * N + c] += A[(r + i) * K + k] * b;
    }
}
