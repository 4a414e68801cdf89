// The first lane of each warp says something to the others, and they do not wait for it.
#include "warpwise.h"

LAUNCH(row_sums, .block = {64}, .tile = {2});
LAUNCH(softmax, .block = {1});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float said[2];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * 2 + warp;
    if (row >= rows) return;
    if (lane == 0)
        said[warp] = in[row * cols];
    float heard = said[warp];
    if (lane == 31)
        sums[row] = heard;
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols) {}
