// Lab 5: row sums and row softmax with __syncwarp
//
// `in` is a matrix of rows x cols floats, row after row: element (r, c) is in[r * cols + c]. Many rows, short ones.
//
//   row_sums   sums[r] = the sum of row r. The lanes of a warp exchange through shared memory that belongs to their
//              warp alone, and wait for each other with __syncwarp(). No shuffle, no __syncthreads(), at least 4 warps
//              a block.
//   softmax    out[r][c] = exp(in[r][c] - max of row r) / sum over the row of those exponentials. A warp a row (or
//              several rows, one after the other), no __syncthreads(). Shuffles are welcome here. The maximum is not
//              decoration: exp(100) is no float any more, and exp(-200) is zero.
//
// .tile = {rows that one block covers}. rows and cols are any numbers; rows * cols < 2^31.
//
// To pass: right, no race, as above, and the speed that `./grade lab5` states. Stuck? `./grade hint lab5`.
// Read handouts/lab5_syncwarp.md, then: make lab5 && ./grade lab5
#include "warpwise.h"

#define WARPS 4 // of a block: with a warp a row, also its rows

LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    // Step 1: each lane adds every 32nd element of the row. Step 2: the 32 partial sums become one: which piece of
    // shared memory belongs to this warp, and where must the lanes wait for each other?
    if (lane == 0) sums[row] = 0.0f;
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    // Step 1: the row's maximum. Step 2: the sum of the exponentials. Step 3: the quotients.
    for (int c = lane; c < cols; c += 32) out[(size_t)row * cols + c] = 0.0f;
}
