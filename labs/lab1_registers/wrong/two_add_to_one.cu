// refused: race at line 17
// The sum over k is split between two threads, and each adds its half to C: read, add and write are three steps, and
// the other thread's may come between them: one half is lost. The barrier only sees to it that both find the zero.
#include "warpwise.h"

LAUNCH(matmul, .block = {16, 16, 2}, .tile = {16, 16});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y, half = threadIdx.z;
    int within = r < M && c < N;
    if (within && half == 0) C[r * N + c] = 0.0f;
    __syncthreads();
    if (!within) return;
    float sum = 0.0f;
    for (int k = half; k < K; k += 2) sum += A[r * K + k] * B[k * N + c];
    C[r * N + c] += sum;
}
