// a fixed grid of 264 blocks with a loop, assert(), a printf that never happens, long long indices, cg inclusive_scan
#include "warpwise.h"
#include <assert.h>
#include <stdio.h>
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#define WARPS 32
LAUNCH(row_sums, .block = {WARPS * 32}, .grid = {264});
LAUNCH(softmax, .block = {WARPS * 32}, .grid = {264});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float exchange[WARPS][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    assert(blockDim.x == WARPS * 32 && gridDim.y == 1);
    if (rows < 0 || cols < 0) {
        printf("rows %d, cols %d?\n", rows, cols);
        return;
    }
    for (long long row = (long long)blockIdx.x * WARPS + warp; row < rows; row += (long long)gridDim.x * WARPS) {
        float sum = 0.0f;
        for (long long i = row * cols + lane, end = (row + 1) * cols; i < end; i += 32) sum += in[i];
        __syncwarp();
        exchange[warp][lane] = sum;
        __syncwarp();
        if (lane < 4) {
            for (int i = 4; i < 32; i += 4) sum += exchange[warp][lane + i];
            exchange[warp][lane] = sum;
        }
        __syncwarp();
        if (lane == 0) sums[row] = (sum + exchange[warp][1]) + (exchange[warp][2] + exchange[warp][3]);
    }
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    namespace cg = cooperative_groups;
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    for (long long row = (long long)blockIdx.x * WARPS + tile.meta_group_rank(); row < rows; row += (long long)gridDim.x * WARPS) {
        const float *x = in + row * cols;
        float m = -INFINITY, s = 0.0f;
        for (int c = tile.thread_rank(); c < cols; c += 32) m = fmaxf(m, x[c]);
        m = tile.shfl(cg::inclusive_scan(tile, m, [](float a, float b) { return fmaxf(a, b); }), 31);
        for (int c = tile.thread_rank(); c < cols; c += 32) s += expf(x[c] - m);
        s = tile.shfl(cg::inclusive_scan(tile, s), 31);
        assert(cols == 0 || s >= 1.0f);
        for (int c = tile.thread_rank(); c < cols; c += 32) out[row * cols + c] = expf(x[c] - m) / s;
    }
}
