// lanes load 32 neighbours of A's row once and hand them round with __shfl_sync
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 4}, .tile = {64, 16});

#define FULL 0xffffffffu

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int lane = threadIdx.x;
    const int r = blockIdx.y * 16 + threadIdx.y * 4;
    const int c0 = blockIdx.x * 64 + lane, c1 = c0 + 32;
    if (r >= M) return; // the whole warp leaves: r is the same for its lanes
    float s[4][2] = {};
    for (int k0 = 0; k0 < K; k0 += 32) {
        float a[4];
#pragma unroll
        for (int i = 0; i < 4; i++) a[i] = r + i < M && k0 + lane < K ? A[(r + i) * K + k0 + lane] : 0.0f;
        if (k0 + 32 <= K) {
#pragma unroll 8
            for (int k = 0; k < 32; k++) {
                float b0 = c0 < N ? B[(k0 + k) * N + c0] : 0.0f;
                float b1 = c1 < N ? B[(k0 + k) * N + c1] : 0.0f;
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    float x = __shfl_sync(FULL, a[i], k);
                    s[i][0] += x * b0;
                    s[i][1] += x * b1;
                }
            }
        } else {
            for (int k = 0; k < K - k0; k++) {
                float b0 = c0 < N ? B[(k0 + k) * N + c0] : 0.0f;
                float b1 = c1 < N ? B[(k0 + k) * N + c1] : 0.0f;
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    float x = __shfl_sync(FULL, a[i], k);
                    s[i][0] += x * b0;
                    s[i][1] += x * b1;
                }
            }
        }
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        if (r + i < M && c0 < N) C[(r + i) * N + c0] = s[i][0];
        if (r + i < M && c1 < N) C[(r + i) * N + c1] = s[i][1];
    }
}
