// one generic implementation for both kernels, its tile width an int or a cuda::std::integral_constant
#include <cuda/std/type_traits>
#include "warpwise.h"

template <int ROWS, class Width, class Sync>
__device__ __forceinline__ void multiply(float *As, float *Bs, Width T, Sync sync, const float *A, const float *B, float *C, int M, int N, int K)
{
    const int tx = threadIdx.x, ty = threadIdx.y, step = blockDim.y;
    const int r0 = blockIdx.y * T, c = blockIdx.x * T + tx;
    float s[ROWS] = {};
    auto rows = [&](auto &&f) {
#pragma unroll
        for (int i = 0; i < ROWS; i++) f(i, ty + i * step);
    };
    for (int m = 0; m < K; m += T) {
        rows([&](int, int y) {
            As[y * T + tx] = r0 + y < M && m + tx < K ? A[(r0 + y) * K + m + tx] : 0.0f;
            Bs[y * T + tx] = m + y < K && c < N ? B[(m + y) * N + c] : 0.0f;
        });
        sync();
#pragma unroll 8
        for (int k = 0; k < T; k++) {
            const float b = Bs[k * T + tx];
            rows([&](int i, int y) { s[i] += As[y * T + k] * b; });
        }
        sync();
    }
    rows([&](int i, int y) {
        if (r0 + y < M && c < N) C[(r0 + y) * N + c] = s[i];
    });
}

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[32 * 32], Bs[32 * 32];
    multiply<4>(As, Bs, cuda::std::integral_constant<int, 32>{}, [] __device__ () { __syncthreads(); }, A, B, C, M, N, K);
}

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float tile[];
    multiply<1>(tile, tile + blockDim.x * blockDim.x, (int)blockDim.x, [] { __syncthreads(); }, A, B, C, M, N, K);
}
