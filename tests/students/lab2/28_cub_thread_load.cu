// cub::ThreadLoad with LOAD_LDG for global memory
#include <cub/cub.cuh>
#include "warpwise.h"

LAUNCH(matmul, .block = {128}, .tile = {32, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[32][33], b[32][32];
    const int lane = threadIdx.x % 32, w = threadIdx.x / 32;
    const int r0 = blockIdx.y * 32, c = blockIdx.x * 32 + lane;
    float s[8] = {};
    for (int m = 0; m < K; m += 32) {
        for (int i = w; i < 32; i += 4) {
            a[i][lane] = r0 + i < M && m + lane < K ? cub::ThreadLoad<cub::LOAD_LDG>(A + (r0 + i) * K + m + lane) : 0.0f;
            b[i][lane] = m + i < K && c < N ? cub::ThreadLoad<cub::LOAD_LDG>(B + (m + i) * N + c) : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 32; ++k) {
            const float v = b[k][lane];
#pragma unroll
            for (int i = 0; i < 8; ++i) s[i] = fmaf(a[w * 8 + i][k], v, s[i]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; ++i)
        if (r0 + w * 8 + i < M && c < N) C[(r0 + w * 8 + i) * N + c] = s[i];
}

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float tile[];
    const int T = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
    float *As = tile, *Bs = tile + T * T;
    const int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float sum = 0.0f;
    for (int phase = 0; phase < (K + T - 1) / T; phase++) {
        const int ka = phase * T + tx, kb = phase * T + ty;
        As[ty * T + tx] = (r < M && ka < K) ? A[r * K + ka] : 0.0f;
        Bs[ty * T + tx] = (kb < K && c < N) ? B[kb * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += As[ty * T + k] * Bs[k * T + tx];
        __syncthreads();
    }
    if (r < M && c < N)
        C[r * N + c] = sum;
}
