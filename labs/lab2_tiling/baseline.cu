// Baseline of lab 2: lab 1's first step, one sum a thread, in a register; nothing is shared but the L1.
//
// Each of the 256 threads of a block loads its own row of A and its own column of B, although 16 of them want the same
// row and 16 the same column. matmul_dynamic is the plain tiled kernel: its speed is not compared.
#include "warpwise.h"

LAUNCH(matmul, .block = {16, 16});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= M || c >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; k++) sum += A[r * K + k] * B[k * N + c];
    C[r * N + c] = sum;
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
