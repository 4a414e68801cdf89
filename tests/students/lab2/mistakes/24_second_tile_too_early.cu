// refused: race at line 38; race at line 39; wrong output
// the second tile of matmul_dynamic begins inside the first
// advice: line 36: write 'w * w' instead of 'w'
#include "warpwise.h"

#define T 16
LAUNCH(matmul, .block = {T, T});
LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float left[T][T], right[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += T) {
        if (row >= M || k0 + tx >= K)
            left[ty][tx] = 0.0f;
        else
            left[ty][tx] = A[row * K + k0 + tx];
        if (col >= N || k0 + ty >= K)
            right[ty][tx] = 0.0f;
        else
            right[ty][tx] = B[(k0 + ty) * N + col];
        __syncthreads();
        for (int k = 0; k < T; ++k)
            sum += left[ty][k] * right[k][tx];
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = sum;
}

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float memory[];
    const int w = blockDim.x, tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * w + ty, col = blockIdx.x * w + tx;
    float *left = memory, *right = &memory[w], sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += w) {
        left[ty * w + tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
        right[ty * w + tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < w; ++k) sum += left[ty * w + k] * right[k * w + tx];
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
