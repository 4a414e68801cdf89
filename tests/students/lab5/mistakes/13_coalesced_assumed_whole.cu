// refused: race at line 19; race at line 23
// the exchange is indexed by the rank in coalesced_threads(), which need not be the whole warp: lanes that come one by one are groups of their own
#include "warpwise.h"
#include <cooperative_groups.h>
using namespace cooperative_groups;

#define WARPS 4
LAUNCH(row_sums, .block = {32, WARPS}, .tile = {WARPS});
LAUNCH(softmax, .block = {32, WARPS}, .tile = {WARPS});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float exchange[WARPS][32];
    const int row = blockIdx.x * WARPS + threadIdx.y;
    if (row < rows) {
        coalesced_group g = coalesced_threads(); // a warp as a whole: the branch is uniform in it
        float sum = 0;
        for (int c = g.thread_rank(); c < cols; c += g.size()) sum += in[row * cols + c];
        exchange[threadIdx.y][g.thread_rank()] = sum;
        g.sync();
        if (g.thread_rank() == 0) {
            float total = 0;
            for (unsigned i = 0; i < g.size(); i++) total += exchange[threadIdx.y][i];
            sums[row] = total;
        }
    }
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    const int row = blockIdx.x * WARPS + threadIdx.y;
    if (row < rows) {
        coalesced_group g = coalesced_threads();
        float m = -INFINITY, s = 0;
        for (int c = g.thread_rank(); c < cols; c += g.size()) m = fmaxf(m, in[row * cols + c]);
        for (int d = g.size() / 2; d > 0; d /= 2) m = fmaxf(m, g.shfl_down(m, d));
        m = g.shfl(m, 0);
        for (int c = g.thread_rank(); c < cols; c += g.size()) s += expf(in[row * cols + c] - m);
        for (int d = g.size() / 2; d > 0; d /= 2) s += g.shfl_down(s, d);
        s = g.shfl(s, 0);
        for (int c = g.thread_rank(); c < cols; c += g.size()) out[row * cols + c] = expf(in[row * cols + c] - m) / s;
    }
}
