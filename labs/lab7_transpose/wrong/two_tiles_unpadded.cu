// refused: technique
// Correct and fast without the technique: two tiles a block, nothing padded. A load of a column takes 16 turns.
#include "warpwise.h"

enum { X = 32, Y = 16, PAD = 0, TILES = 2, FLOATS = Y * (X + PAD) };

LAUNCH(transpose, .block = {X, Y}, .tile = {X * TILES, Y}, .shared = TILES * FLOATS * sizeof(float));

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    extern __shared__ float tiles[];
    int row = blockIdx.y * Y + threadIdx.y, column = blockIdx.x * X * TILES + threadIdx.x;
#pragma unroll
    for (int i = 0; i < TILES; i++)
        if (row < R && column + i * X < C)
            tiles[i * FLOATS + threadIdx.y * (X + PAD) + threadIdx.x] = in[(size_t)row * C + column + i * X];
    __syncthreads();

    int thread = threadIdx.y * X + threadIdx.x, down = thread / Y, along = thread % Y;
    row = blockIdx.x * X * TILES + down, column = blockIdx.y * Y + along; // of `out`
#pragma unroll
    for (int i = 0; i < TILES; i++)
        if (row + i * X < C && column < R)
            out[(size_t)(row + i * X) * R + column] = tiles[i * FLOATS + along * (X + PAD) + down];
}
