// refused: race at line 16
// Two threads share each sum, one for the even k and one for the odd, and both add to C. One addition is lost when
// they meet; on a card they often do not.
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 4, 2}, .tile = {32, 4});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    bool inside = r < M && c < N;
    float sum = 0.0f;
    for (int k = threadIdx.z; inside && k < K; k += 2) sum += A[r * K + k] * B[k * N + c];
    if (inside && threadIdx.z == 0) C[r * N + c] = sum;
    __syncthreads();
    if (inside) C[r * N + c] += threadIdx.z == 1 ? sum : 0.0f;
}
