// cooperative groups: labeled_partition of a tile by the row, coalesced_group's shfl and size
// not passed: too slow
#include "warpwise.h"
#include <cooperative_groups.h>
using namespace cooperative_groups;

#define WARPS 4
LAUNCH(row_sums, .block = {32, WARPS}, .tile = {WARPS});
LAUNCH(softmax, .block = {32, WARPS}, .tile = {WARPS});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float exchange[WARPS][32];
    const int row = blockIdx.x * WARPS + threadIdx.y, lane = threadIdx.x;
    if (row < rows) {
        float sum = 0;
        for (int c = lane; c < cols; c += 32) sum += in[row * cols + c];
        exchange[threadIdx.y][lane] = sum;
        __syncwarp();
        if (lane < 4) {
            sum = 0;
            for (int i = lane * 8; i < lane * 8 + 8; i++) sum += exchange[threadIdx.y][i];
            exchange[threadIdx.y][lane * 8] = sum;
        }
        __syncwarp();
        if (lane == 0) {
            float total = 0;
            for (int i = 0; i < 32; i += 8) total += exchange[threadIdx.y][i];
            sums[row] = total;
        }
    }
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    const int row = blockIdx.x * WARPS + threadIdx.y;
    thread_block_tile<32> warp = tiled_partition<32>(this_thread_block());
    coalesced_group g = labeled_partition(warp, row); // all lanes of my row
    if (row < rows) {
        float m = -INFINITY, mine = -INFINITY, s = 0, part = 0;
        for (int c = g.thread_rank(); c < cols; c += g.size()) mine = fmaxf(mine, in[row * cols + c]);
        for (unsigned i = 0; i < g.size(); i++) m = fmaxf(m, g.shfl(mine, i));
        for (int c = g.thread_rank(); c < cols; c += g.size()) part += expf(in[row * cols + c] - m);
        for (unsigned i = 0; i < g.size(); i++) s += g.shfl(part, i);
        for (int c = g.thread_rank(); c < cols; c += g.size()) out[row * cols + c] = expf(in[row * cols + c] - m) / s;
    }
}
