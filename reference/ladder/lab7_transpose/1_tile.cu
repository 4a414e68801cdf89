// Rung 1: a tile of 32 x 16 in shared memory. It is read by rows, and the threads are counted anew, 16 to a row, to
// write it by columns: both sides touch whole sectors now.
//
// Flaw: the lanes of a warp read a column of the tile, and its elements lie 32 floats apart: all in one bank. A
// load takes 16 turns instead of one. Rung 2 pads the rows.
#include "warpwise.h"

enum { X = 32, Y = 16 };

LAUNCH(transpose, .block = {X, Y});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[Y][X];
    int row = blockIdx.y * Y + threadIdx.y, column = blockIdx.x * X + threadIdx.x;
    if (row < R && column < C) tile[threadIdx.y][threadIdx.x] = in[(size_t)row * C + column];
    __syncthreads();

    int thread = threadIdx.y * X + threadIdx.x, down = thread / Y, along = thread % Y;
    row = blockIdx.x * X + down, column = blockIdx.y * Y + along; // of `out`
    if (row < C && column < R) out[(size_t)row * R + column] = tile[along][down];
}
