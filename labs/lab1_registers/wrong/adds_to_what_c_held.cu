// refused: never written at line 12
// The sum is a register, but it is added to C, which nobody has set to zero.
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0.0f;
    for (int k = 0; r < M && c < N && k < K; k++) sum += A[r * K + k] * B[k * N + c];
    if (r < M && c < N) C[r * N + c] += sum;
}
