// a union in shared memory: tiles during the loop, C's tile after it, stored row by row
#include "warpwise.h"

union Memory {
    struct {
        float a[16][64 + 4], b[16][64];
    } in;
    float c[64][64 + 1];
};

LAUNCH(matmul, .block = {16, 16}, .tile = {64, 64});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ Memory mem;
    const int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x, r0 = blockIdx.y * 64, c0 = blockIdx.x * 64;
    float s[4][4] = {};
    for (int m = 0; m < K; m += 16) {
        for (int i = t; i < 1024; i += 256) {
            const int r = i / 16, k = i % 16, kb = i / 64, c = i % 64;
            mem.in.a[k][r] = r0 + r < M && m + k < K ? A[(r0 + r) * K + m + k] : 0.0f;
            mem.in.b[kb][c] = m + kb < K && c0 + c < N ? B[(m + kb) * N + c0 + c] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++)
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++) s[i][j] += mem.in.a[k][y * 4 + i] * mem.in.b[k][x * 4 + j];
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) mem.c[y * 4 + i][x * 4 + j] = s[i][j];
    __syncthreads();
    for (int i = t; i < 64 * 64; i += 256) {
        const int r = r0 + i / 64, c = c0 + i % 64;
        if (r < M && c < N) C[r * N + c] = mem.c[i / 64][i % 64];
    }
}

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float tile[];
    const int T = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
    float *As = tile, *Bs = tile + T * T;
    const int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float sum = 0.0f;
    for (int phase = 0; phase < (K + T - 1) / T; phase++) {
        const int ka = phase * T + tx, kb = phase * T + ty;
        As[ty * T + tx] = (r < M && ka < K) ? A[r * K + ka] : 0.0f;
        Bs[ty * T + tx] = (kb < K && c < N) ? B[kb * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += As[ty * T + k] * Bs[k * T + tx];
        __syncthreads();
    }
    if (r < M && c < N)
        C[r * N + c] = sum;
}
