// Rung 3: the same tile with a quarter of the threads, each of which computes four rows of its column. One load of
// Bs[k][tx] serves four sums; the four loads of As are the same for all lanes of a warp.
//
// Flaw: still five shared loads for four multiply-adds. Rung 4 makes the thread's piece square: with 4 x 4 sums, eight
// loads serve sixteen.
#include "warpwise.h"

enum { T = 32, ROWS = 4, STEP = T / ROWS };

LAUNCH(matmul, .block = {T, STEP}, .tile = {T, T});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[T][T], Bs[T][T];
    int tx = threadIdx.x, ty = threadIdx.y, c = blockIdx.x * T + tx, r0 = blockIdx.y * T;
    float sum[ROWS] = {};
    for (int m = 0; m < K; m += T) {
#pragma unroll
        for (int i = 0; i < T; i += STEP) {
            int row = ty + i;
            As[row][tx] = r0 + row < M && m + tx < K ? A[(r0 + row) * K + m + tx] : 0.0f;
            Bs[row][tx] = m + row < K && c < N ? B[(m + row) * N + c] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < T; k++) {
            float b = Bs[k][tx];
#pragma unroll
            for (int i = 0; i < ROWS; i++) sum[i] += As[ty + i * STEP][k] * b;
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        int r = r0 + ty + i * STEP;
        if (r < M && c < N) C[r * N + c] = sum[i];
    }
}

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float tile[];
    int T = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
    int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float *As = tile, *Bs = tile + T * T, sum = 0.0f;
    for (int m = 0; m < K; m += T) {
        As[ty * T + tx] = r < M && m + tx < K ? A[r * K + m + tx] : 0.0f;
        Bs[ty * T + tx] = m + ty < K && c < N ? B[(m + ty) * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; k++) sum += As[ty * T + k] * Bs[k * T + tx];
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = sum;
}
