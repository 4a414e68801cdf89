// Lab 7: a transpose without strides and without bank conflicts.
//
// Contract
//   transpose(in, out, R, C)   out[c * R + r] = in[r * C + c] for every 0 <= r < R, 0 <= c < C
//   in, out                    R x C and C x R floats, row by row; `in` stays as it is
//   R, C                       any, multiples of nothing
//
// LAUNCH: the first number of .block and .tile runs along a row of `in` (x, up to C), the second down its rows (y, up
// to R). .tile is what one block covers; with four rows a thread, 32 x 8 threads cover 32 x 32.
//
// Passing needs: right for every size; no race, no access outside the arrays or the tile; at most 5 sectors for each
// 128 bytes loaded and stored; at most 2 passes (wavefronts) for each access to shared memory; the speed that
// `./grade lab7` states. The baseline stores each element straight to its place.
//
// Read handouts/lab7_transpose.md, then: make lab7 && ./grade lab7
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    // This moves 8 of the tile's 32 rows, and stores them down a column. Load all of the tile by rows here ...
    if (x < C && y < R) tile[threadIdx.y][threadIdx.x] = in[(size_t)y * C + x];
    __syncthreads();
    // ... and store it by rows of `out` here.
    if (x < C && y < R) out[(size_t)x * R + y] = tile[threadIdx.y][threadIdx.x];
}
