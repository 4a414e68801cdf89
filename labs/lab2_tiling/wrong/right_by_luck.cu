// refused: race at line 18
// One warp a block, and no barrier at all, because "a warp runs in lockstep". It did before Volta. It mostly does now,
// and the output is right; nothing promises it: between lanes that exchange data stands a __syncwarp() or nothing.
#include "warpwise.h"

enum { T = 32 };

LAUNCH(matmul, .block = {T, 1}, .tile = {T, 1});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[T];
    int lane = threadIdx.x, r = blockIdx.y, c = blockIdx.x * T + lane;
    float sum = 0.0f;
    for (int m = 0; m < K; m += T) {
        As[lane] = m + lane < K ? A[r * K + m + lane] : 0.0f;
        for (int k = 0; k < T && m + k < K; k++)
            sum += As[k] * (c < N ? B[(m + k) * N + c] : 0.0f);
    }
    if (c < N) C[r * N + c] = sum;
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
