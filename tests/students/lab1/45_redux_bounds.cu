// __reduce_max_sync finds the last row and column of a warp, one guard for the whole warp, match for equal rows
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {64, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    const unsigned all = 0xffffffff;
    int c = blockIdx.x * 64 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y * 4;
    int first = __reduce_min_sync(all, c), lastc = __reduce_max_sync(all, c + 32), lastr = __reduce_max_sync(all, r + 3);
    if (first >= N || r >= M) return; // the same for all lanes
    bool inside = lastc < N && lastr < M;
    if (__match_any_sync(all, r) != all) __trap(); // a warp is one row of threads
    float s[4][2] = {};
    if (inside) {
#pragma unroll 4
        for (int k = 0; k < K; k++)
#pragma unroll
            for (int i = 0; i < 4; i++) {
                s[i][0] += A[(r + i) * K + k] * B[k * N + c];
                s[i][1] += A[(r + i) * K + k] * B[k * N + c + 32];
            }
    } else {
        for (int k = 0; k < K; k++) {
            float x = B[k * N + min(c, N - 1)], y = B[k * N + min(c + 32, N - 1)];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float a = A[min(r + i, M - 1) * K + k];
                s[i][0] += a * x;
                s[i][1] += a * y;
            }
        }
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        if (inside || (r + i < M && c < N)) C[(r + i) * N + c] = s[i][0];
        if (inside || (r + i < M && c + 32 < N)) C[(r + i) * N + c + 32] = s[i][1];
    }
}
