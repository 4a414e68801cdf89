// textbook 16 x 16 tile, one sum a thread, exactly as the handout draws it
#include "warpwise.h"

enum { T = 16 };

LAUNCH(matmul, .block = {T, T}, .tile = {T, T});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[T][T];
    __shared__ float Bs[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
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

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float tile[];
    int w = blockDim.x;
    float *As = tile, *Bs = tile + w * w;
    int tx = threadIdx.x, ty = threadIdx.y;
    int r = blockIdx.y * w + ty, c = blockIdx.x * w + tx;
    float sum = 0.0f;
    for (int m = 0; m < K; m += w) {
        As[ty * w + tx] = r < M && m + tx < K ? A[r * K + m + tx] : 0.0f;
        Bs[ty * w + tx] = m + ty < K && c < N ? B[(m + ty) * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < w; k++) sum += As[ty * w + k] * Bs[k * w + tx];
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = sum;
}
