// Four rows a thread, but LAUNCH still says that a block covers as many rows as it has threads.
// not passed: too slow
// advice: LAUNCH's .tile is smaller than what a block covers, so blocks do what others have done, or nothing: line 6: write '{32, 8}, .tile = {32, 32}' instead of '{32, 8}' (tried: the outputs stay right)
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
    if (r >= M || c >= N) return;
    float sum[4] = {0, 0, 0, 0};
    for (int k = 0; k < K; k++) {
        float b = B[k * N + c];
        for (int i = 0; i < 4; i++)
            if (r + i < M) sum[i] += A[(r + i) * K + k] * b;
    }
    for (int i = 0; i < 4; i++)
        if (r + i < M) C[(r + i) * N + c] = sum[i];
}
