// cp.async: __pipeline_memcpy_async into the warp's own shared row, double-buffered over pieces of 128 columns
#include "warpwise.h"
#include <cuda_pipeline.h>

#define WARPS 4
#define PIECE 128
LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float stage[WARPS][2][PIECE];
    __shared__ float exchange[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    const float *x = in + (size_t)row * cols;
    auto fetch = [&](int piece) {
        for (int c = lane; c < PIECE && piece * PIECE + c < cols; c += 32)
            __pipeline_memcpy_async(&stage[warp][piece % 2][c], &x[piece * PIECE + c], 4);
        __pipeline_commit();
    };
    int pieces = (cols + PIECE - 1) / PIECE;
    float sum = 0;
    fetch(0);
    for (int p = 0; p < pieces; ++p) {
        fetch(p + 1);
        __pipeline_wait_prior(1);
        __syncwarp();
        // read in the mirrored order, so that lanes use what others have fetched
        int count = min(PIECE, cols - p * PIECE);
        for (int c = 31 - lane; c < count; c += 32) sum += stage[warp][p % 2][c];
        __syncwarp(); // all have read before the buffer is filled again
    }
    exchange[warp][lane] = sum;
    __syncwarp();
    if (lane == 0) {
        sum = 0;
        for (int i = 0; i < 32; ++i) sum += exchange[warp][i];
        sums[row] = sum;
    }
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * WARPS + threadIdx.x / 32;
    if (row >= rows) return;
    const float *x = in + (size_t)row * cols;
    float m = -INFINITY, s = 0;
    for (int c = lane; c < cols; c += 32) m = fmaxf(m, x[c]);
    for (int d = 16; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
    for (int c = lane; c < cols; c += 32) s += expf(x[c] - m);
    for (int d = 16; d; d /= 2) s += __shfl_xor_sync(0xffffffff, s, d);
    for (int c = lane; c < cols; c += 32) out[(size_t)row * cols + c] = expf(x[c] - m) / s;
}
