// eight lanes share one row group: each loads an eighth of A's values, __shfl_sync with width 8
// not passed: too slow
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 4}, .tile = {32, 64});

// lane = 8 * g + j: rows 16 * warp + 4 * g .. + 3, columns j + 8 * (0..3)
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int j = threadIdx.x & 7, g = threadIdx.x >> 3;
    const int r = blockIdx.y * 64 + threadIdx.y * 16 + g * 4, c = blockIdx.x * 32 + j;
    float s[4][4] = {};
    for (int k0 = 0; k0 < K; k0 += 8) {
        float a[4];
#pragma unroll
        for (int i = 0; i < 4; i++) a[i] = r + i < M && k0 + j < K ? A[(r + i) * K + k0 + j] : 0.0f;
#pragma unroll
        for (int k = 0; k < 8; k++) {
            float b[4];
#pragma unroll
            for (int q = 0; q < 4; q++) b[q] = k0 + k < K && c + 8 * q < N ? B[(k0 + k) * N + c + 8 * q] : 0.0f;
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const float x = __shfl_sync(~0u, a[i], k, 8);
#pragma unroll
                for (int q = 0; q < 4; q++) s[i][q] += x * b[q];
            }
        }
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (r + i < M && c + 8 * q < N) C[(r + i) * N + c + 8 * q] = s[i][q];
}
