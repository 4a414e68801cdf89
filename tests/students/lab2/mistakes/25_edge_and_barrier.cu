// refused: never written at line 28; never written at line 30; race at line 53; race at line 55; wrong output
// one kernel stores nothing instead of 0 outside the matrix, the other lacks a barrier
// advice: put __syncthreads() after line 53, at a point that every thread of the block reaches (tried: the finding is gone, and more cases are right)
#include "warpwise.h"

#define TILE 32
#define ROWS 4

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE, col = blockIdx.x * TILE + tx;
    float sum[ROWS] = {0.0f, 0.0f, 0.0f, 0.0f};

    for (int m = 0; m < K; m += TILE) {
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            int y = ty + 8 * i;
            if (row + y < M && m + tx < K) As[y][tx] = A[(row + y) * K + m + tx];
            if (m + y < K && col < N) Bs[y][tx] = B[(m + y) * N + col];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++) {
            float b = Bs[k][tx];
#pragma unroll
            for (int i = 0; i < ROWS; i++) sum[i] += As[ty + 8 * i][k] * b; 
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        int r = row + ty + 8 * i;
        if (r < M && col < N) C[r * N + col] = sum[i];
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
        for (int k = 0; k < T; k++)
            sum += As[ty * T + k] * Bs[k * T + tx];
        __syncthreads();
    }
    if (r < M && c < N)
        C[r * N + c] = sum;
}
