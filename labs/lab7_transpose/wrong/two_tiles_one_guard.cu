// refused: output never written
// Two tiles a block, unrolled, and one guard for both as published code has it: where only the first tile lies inside
// the matrix, neither is moved.
#include "warpwise.h"

enum { X = 32, Y = 16, PAD = 2 };

LAUNCH(transpose, .block = {X, Y}, .tile = {2 * X, Y});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[2][Y][X + PAD];
    int row = blockIdx.y * Y + threadIdx.y, column = blockIdx.x * 2 * X + threadIdx.x;
    if (row < R && column + X < C) {
        tile[0][threadIdx.y][threadIdx.x] = in[(size_t)row * C + column];
        tile[1][threadIdx.y][threadIdx.x] = in[(size_t)row * C + column + X];
    }
    __syncthreads();
    int thread = threadIdx.y * X + threadIdx.x, down = thread / Y, along = thread % Y;
    row = blockIdx.x * 2 * X + down, column = blockIdx.y * Y + along;
    if (row + X < C && column < R) {
        out[(size_t)row * R + column] = tile[0][along][down];
        out[(size_t)(row + X) * R + column] = tile[1][along][down];
    }
}
