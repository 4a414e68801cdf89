// Rung 3: two tiles side by side, one above the other in shared memory whose size the launch gives; two loads of a
// thread are on their way at once. Each of the two has its own guard: a single one for both would drop the last
// columns.
//
// Flaw: half-warps still write 64 bytes of two rows each, and the numbers of a tile of 32 x 16 have to be counted
// anew. A square tile needs neither: rung 4 has one, with four rows a thread.
#include "warpwise.h"

enum { X = 32, Y = 16, PAD = 2, TILES = 2, FLOATS = Y * (X + PAD) };

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
