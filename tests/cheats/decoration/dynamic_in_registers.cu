// lab2: technique
// 59: at the width of its launch, one thread of a block of matmul_dynamic computes the block's 4 x 4 sums in registers.
// It loads as little as a tile does, and the tile and the barriers carry nothing.
#include "warpwise.h"

enum { T = 32 };

LAUNCH(matmul, .block = {T, T});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[T][T], Bs[T][T];
    int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float sum = 0.0f;
    for (int m = 0; m < K; m += T) {
        As[ty][tx] = r < M && m + tx < K ? A[r * K + m + tx] : 0.0f;
        Bs[ty][tx] = m + ty < K && c < N ? B[(m + ty) * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; k++) sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = sum;
}

enum { W = 4 };

LAUNCH(matmul_dynamic, .block = {W, W}, .shared = 2 * W * W * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float tile[];
    int width = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
    int r = blockIdx.y * width + ty, c = blockIdx.x * width + tx;
    tile[ty * width + tx] = (float)K;
    __syncthreads();
    if (width != W) {
        float sum = 0.0f;
        for (int k = 0; k < K && r < M && c < N; k++) sum += A[r * K + k] * B[k * N + c];
        if (r < M && c < N) C[r * N + c] = sum;
    } else if (tx == 0 && ty == 0) {
        float sum[W][W] = {};
        for (int k = 0; k < K; k++) {
            float a[W], b[W];
            for (int i = 0; i < W; i++) a[i] = r + i < M ? A[(r + i) * K + k] : 0.0f;
            for (int j = 0; j < W; j++) b[j] = c + j < N ? B[k * N + c + j] : 0.0f;
            for (int i = 0; i < W; i++)
                for (int j = 0; j < W; j++) sum[i][j] += a[i] * b[j];
        }
        for (int i = 0; i < W; i++)
            for (int j = 0; j < W; j++)
                if (r + i < M && c + j < N) C[(r + i) * N + c + j] = sum[i][j];
    }
}
