// each warp makes 4 x 4 sums, its lanes share k, cooperative groups reduce() at the end
// not passed: too slow
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include "warpwise.h"

namespace cg = cooperative_groups;

LAUNCH(matmul, .block = {32, 8}, .tile = {4, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int c0 = blockIdx.x * 4, r0 = blockIdx.y * 32 + warp.meta_group_rank() * 4;
    if (r0 >= M) return; // whole warps
    float s[4][4] = {};
    for (int k = warp.thread_rank(); k < K; k += warp.size()) {
        float a[4], b[4];
#pragma unroll
        for (int i = 0; i < 4; i++) a[i] = A[min(r0 + i, M - 1) * K + k], b[i] = B[k * N + min(c0 + i, N - 1)];
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < 4; j++) s[i][j] += a[i] * b[j];
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float all = cg::reduce(warp, s[i][j], cg::plus<float>());
            if (warp.thread_rank() == 0 && r0 + i < M && c0 + j < N) C[(r0 + i) * N + c0 + j] = all;
        }
}
