// refused: technique
// Right and fast without a tile: lab 1's four rows a thread. The L1 does the sharing, and global memory gives ten
// times the bytes that a tile of 16 needs.
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r0 = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
    if (c >= N) return;
    float sum[4] = {0, 0, 0, 0};
    for (int k = 0; k < K; k++) {
        float b = B[k * N + c];
#pragma unroll
        for (int i = 0; i < 4; i++)
            if (r0 + i < M) sum[i] += A[(r0 + i) * K + k] * b;
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        if (r0 + i < M) C[(r0 + i) * N + c] = sum[i];
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
