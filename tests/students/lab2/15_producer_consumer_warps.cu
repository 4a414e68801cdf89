// warp specialisation: four warps load, eight multiply, bar.arrive / bar.sync on full and empty barriers
#include "warpwise.h"

#define T 32
#define PRODUCERS 128
#define CONSUMERS 256
#define ALL (PRODUCERS + CONSUMERS)

__device__ __forceinline__ void bar_sync(int id) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(ALL) : "memory"); }
__device__ __forceinline__ void bar_arrive(int id) { asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(ALL) : "memory"); }
// full: 1 + stage, empty: 3 + stage

LAUNCH(matmul, .block = {T, 12}, .tile = {T, T});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[2][T][T], Bs[2][T][T];
    const int x = threadIdx.x, w = threadIdx.y, r0 = blockIdx.y * T, c = blockIdx.x * T + x;
    const int phases = (K + T - 1) / T;
    if (w >= 8) { // producers
        for (int q = 0; q < phases; q++) {
            const int p = q & 1, m = q * T;
            if (q >= 2) bar_sync(3 + p); // the consumers have read phase q - 2
            for (int y = w - 8; y < T; y += 4) {
                As[p][y][x] = r0 + y < M && m + x < K ? A[(r0 + y) * K + m + x] : 0.0f;
                Bs[p][y][x] = m + y < K && c < N ? B[(m + y) * N + c] : 0.0f;
            }
            bar_arrive(1 + p);
        }
    } else {
        float s[4] = {};
        for (int q = 0; q < phases; q++) {
            const int p = q & 1;
            bar_sync(1 + p);
#pragma unroll
            for (int k = 0; k < T; k++) {
                const float b = Bs[p][k][x];
#pragma unroll
                for (int i = 0; i < 4; i++) s[i] += As[p][w + 8 * i][k] * b;
            }
            if (q + 2 < phases) bar_arrive(3 + p);
        }
#pragma unroll
        for (int i = 0; i < 4; i++)
            if (r0 + w + 8 * i < M && c < N) C[(r0 + w + 8 * i) * N + c] = s[i];
    }
}
#undef T

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
