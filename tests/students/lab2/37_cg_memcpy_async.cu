// cooperative_groups::memcpy_async copies whole tile rows by warp, cg::wait; a zero row behind the edge
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include "warpwise.h"

namespace cg = cooperative_groups;

LAUNCH(matmul, .block = {32, 8}, .tile = {64, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[32][16], b[16][64];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const int x = threadIdx.x, y = threadIdx.y, r0 = blockIdx.y * 32, c0 = blockIdx.x * 64;
    float s[4][2] = {};
    for (int m = 0; m < K; m += 16) {
        const int depth = min(16, K - m), wide = min(64, N - c0);
        for (int i = y; i < 32; i += 8) {
            const bool row = r0 + i < M;
            if (row) cg::memcpy_async(warp, a[i], A + (size_t)(r0 + i) * K + m, sizeof(float) * depth);
            for (int k = x; k < 16; k += 32)
                if (!row || k >= depth) a[i][k] = 0.0f;
        }
        for (int i = y; i < 16; i += 8) {
            const bool row = i < depth;
            if (row) cg::memcpy_async(warp, b[i], B + (size_t)(m + i) * N + c0, sizeof(float) * wide);
            for (int c = x; c < 64; c += 32)
                if (!row || c >= wide) b[i][c] = 0.0f;
        }
        cg::wait(warp);
        block.sync();
#pragma unroll
        for (int k = 0; k < 16; k++)
#pragma unroll
            for (int i = 0; i < 4; i++) {
                s[i][0] += a[y * 4 + i][k] * b[k][x];
                s[i][1] += a[y * 4 + i][k] * b[k][x + 32];
            }
        block.sync();
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int r = r0 + y * 4 + i;
        if (r < M && c0 + x < N) C[r * N + c0 + x] = s[i][0];
        if (r < M && c0 + x + 32 < N) C[r * N + c0 + x + 32] = s[i][1];
    }
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
