// cooperative groups for every index and barrier: this_thread_block, dim_threads, thread_index, block.sync()
#include <cooperative_groups.h>
#include "warpwise.h"

namespace cg = cooperative_groups;

LAUNCH(matmul, .block = {32, 8}, .tile = {64, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    __shared__ float As[32][32];
    __shared__ float Bs[32][64];
    const int lane = warp.thread_rank(), w = warp.meta_group_rank(), warps = warp.meta_group_size();
    const int r0 = block.group_index().y * 32, c0 = block.group_index().x * 64;
    float s[4][2] = {};
    for (int m = 0; m < K; m += 32) {
        for (int y = w; y < 32; y += warps) {
            As[y][lane] = r0 + y < M && m + lane < K ? A[(r0 + y) * K + m + lane] : 0.0f;
            Bs[y][lane] = m + y < K && c0 + lane < N ? B[(m + y) * N + c0 + lane] : 0.0f;
            Bs[y][lane + 32] = m + y < K && c0 + lane + 32 < N ? B[(m + y) * N + c0 + lane + 32] : 0.0f;
        }
        block.sync();
#pragma unroll
        for (int k = 0; k < 32; ++k)
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                s[i][0] += As[w * 4 + i][k] * Bs[k][lane];
                s[i][1] += As[w * 4 + i][k] * Bs[k][lane + 32];
            }
        block.sync();
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 2; ++j) {
            const int r = r0 + w * 4 + i, c = c0 + lane + 32 * j;
            if (r < M && c < N) C[r * N + c] = j ? s[i][1] : s[i][0];
        }
}

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float tile[];
    auto block = cg::this_thread_block();
    const unsigned T = block.group_dim().x, me = block.thread_rank();
    const dim3 t = block.thread_index();
    float *As = tile, *Bs = tile + block.size();
    const int r = block.group_index().y * T + t.y, c = block.group_index().x * T + t.x;
    float s = 0;
    for (int m = 0; m < K; m += T) {
        As[me] = r < M && m + (int)t.x < K ? A[r * K + m + t.x] : 0.0f;
        Bs[me] = m + (int)t.y < K && c < N ? B[(m + t.y) * N + c] : 0.0f;
        cg::sync(block);
        for (unsigned k = 0; k < T; ++k) s += As[t.y * T + k] * Bs[k * T + t.x];
        cg::sync(block);
    }
    if (r < M && c < N) C[r * N + c] = s;
}
