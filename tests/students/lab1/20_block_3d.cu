// 3-D block {32, 2, 4}: z picks the group of rows
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 2, 4}, .tile = {64, 32, 4});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * 64 + threadIdx.x;
    int r = blockIdx.y * 32 + (threadIdx.z * blockDim.y + threadIdx.y) * 4;
    if (blockIdx.z > 0 || r >= M || c >= N) return;
    float s[4] = {0.f, 0.f, 0.f, 0.f}, t[4] = {0.f, 0.f, 0.f, 0.f};
    int d = c + 32 >= N ? c : c + 32;
    int o[4];
#pragma unroll
    for (int i = 0; i < 4; i++) o[i] = (r + i >= M ? r : r + i) * K;
#pragma unroll 4
    for (int k = 0; k < K; k++) {
        float x = B[k * N + c];
        float y = B[k * N + d];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float a = A[o[i] + k];
            s[i] += a * x;
            t[i] += a * y;
        }
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        if (r + i < M) C[(r + i) * N + c] = s[i];
        if (r + i < M && c + 32 < N) C[(r + i) * N + c + 32] = t[i];
    }
}
