// cuda::memcpy_async tied to a cuda::barrier, whole rows of a tile by one thread group where they fit
#include <cooperative_groups.h>
#include <cuda/barrier>
#include "warpwise.h"

namespace cg = cooperative_groups;
using bar_t = cuda::barrier<cuda::thread_scope_block>;

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 64});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ alignas(16) float a[64][32];
    __shared__ alignas(16) float b[32][32];
    __shared__ alignas(bar_t) unsigned char raw[sizeof(bar_t)];
    bar_t &bar = *reinterpret_cast<bar_t *>(raw);
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&bar, (int)block.size());
    block.sync();
    const int x = threadIdx.x, y = threadIdx.y, r0 = blockIdx.y * 64, c = blockIdx.x * 32 + x;
    float s[8] = {};
    for (int m = 0; m < K; m += 32) {
        for (int i = y; i < 64; i += 8)
            if (r0 + i < M && m + x < K)
                cuda::memcpy_async(&a[i][x], A + (r0 + i) * K + m + x, sizeof(float), bar);
            else
                a[i][x] = 0.0f;
        for (int i = y; i < 32; i += 8)
            if (m + i < K && c < N)
                cuda::memcpy_async(&b[i][x], B + (m + i) * N + c, sizeof(float), bar);
            else
                b[i][x] = 0.0f;
        bar.arrive_and_wait();
#pragma unroll
        for (int k = 0; k < 32; k++)
#pragma unroll
            for (int i = 0; i < 8; i++) s[i] += a[y * 8 + i][k] * b[k][x];
        bar.arrive_and_wait();
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
        if (r0 + y * 8 + i < M && c < N) C[(r0 + y * 8 + i) * N + c] = s[i];
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
