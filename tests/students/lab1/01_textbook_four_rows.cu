// four rows a thread as in the handout, guards with ?: at every load
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r0 = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
    if (r0 >= M || c >= N) return;
    float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
    for (int k = 0; k < K; k++) {
        float b = B[k * N + c];
        s0 += A[r0 * K + k] * b;
        s1 += (r0 + 1 < M ? A[(r0 + 1) * K + k] : 0.0f) * b;
        s2 += (r0 + 2 < M ? A[(r0 + 2) * K + k] : 0.0f) * b;
        s3 += (r0 + 3 < M ? A[(r0 + 3) * K + k] : 0.0f) * b;
    }
    C[r0 * N + c] = s0;
    if (r0 + 1 < M) C[(r0 + 1) * N + c] = s1;
    if (r0 + 2 < M) C[(r0 + 2) * N + c] = s2;
    if (r0 + 3 < M) C[(r0 + 3) * N + c] = s3;
}
