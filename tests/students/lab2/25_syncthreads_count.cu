// barriers that also ask: __syncthreads_or tells whether more is to come, __syncthreads_count and _and as plain barriers
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {64, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[32][32], b[32][64];
    int x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * 32, c = blockIdx.x * 64 + x;
    float s[4] = {}, t[4] = {};
    int m = 0;
    while (__syncthreads_or(m < K)) {
        for (int i = y; i < 32; i += 8) {
            a[i][x] = r + i < M && m + x < K ? A[(r + i) * K + m + x] : 0.0f;
            b[i][x] = m + i < K && c < N ? B[(m + i) * N + c] : 0.0f;
            b[i][x + 32] = m + i < K && c + 32 < N ? B[(m + i) * N + c + 32] : 0.0f;
        }
        if (__syncthreads_count(1) != 256) __trap();
        #pragma unroll
        for (int k = 0; k < 32; k++)
            #pragma unroll
            for (int i = 0; i < 4; i++) {
                float v = a[y + 8 * i][k];
                s[i] += v * b[k][x];
                t[i] += v * b[k][x + 32];
            }
        m += 32;
    }
    #pragma unroll
    for (int i = 0; i < 4; i++)
        if (r + y + 8 * i < M) {
            if (c < N) C[(r + y + 8 * i) * N + c] = s[i];
            if (c + 32 < N) C[(r + y + 8 * i) * N + c + 32] = t[i];
        }
}

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float tile[];
    int w = blockDim.x, x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * w + y, c = blockIdx.x * w + x;
    float s = 0;
    for (int m = 0; m < K; m += w) {
        tile[y * w + x] = r < M && m + x < K ? A[r * K + m + x] : 0.0f;
        tile[(w + y) * w + x] = m + y < K && c < N ? B[(m + y) * N + c] : 0.0f;
        __syncthreads_and(1);
        for (int k = 0; k < w; k++) s += tile[y * w + k] * tile[(w + k) * w + x];
        __syncthreads_count(s == 0);
    }
    if (r < M && c < N) C[r * N + c] = s;
}
