// 4 x 4 sums, four steps of k at once, A as float4 where K is a multiple of 4, rows clamped
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {128, 32});

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                                  int M, int N, int K)
{
    int c0 = blockIdx.x * 128 + threadIdx.x;
    int r0 = blockIdx.y * 32 + threadIdx.y * 4;
    if (r0 >= M || c0 >= N) return;

    const float *a[4];
    int col[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        a[i] = A + min(r0 + i, M - 1) * K;
        col[i] = min(c0 + 32 * i, N - 1);
    }

    float s[4][4] = {};
    int k = 0;
    if (K % 4 == 0) {
        for (; k < K; k += 4) {
            float4 x[4];
#pragma unroll
            for (int i = 0; i < 4; i++) x[i] = *reinterpret_cast<const float4 *>(a[i] + k);
            float b[4][4];
#pragma unroll
            for (int d = 0; d < 4; d++)
#pragma unroll
                for (int j = 0; j < 4; j++) b[d][j] = B[(k + d) * N + col[j]];
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++) {
                    s[i][j] += x[i].x * b[0][j];
                    s[i][j] += x[i].y * b[1][j];
                    s[i][j] += x[i].z * b[2][j];
                    s[i][j] += x[i].w * b[3][j];
                }
        }
    }
#pragma unroll 4
    for (; k < K; k++) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float b = B[k * N + col[j]];
#pragma unroll
            for (int i = 0; i < 4; i++) s[i][j] += a[i][k] * b;
        }
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            if (r0 + i < M && c0 + 32 * j < N) C[(r0 + i) * N + c0 + 32 * j] = s[i][j];
}
