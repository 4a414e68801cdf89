// Reference of lab 7: a padded tile of 32 x 32, moved by 16-byte accesses where R and C allow it.
//
// Choices:
// - the tile is square: the same threads walk along rows of `in` and then along rows of `out`.
// - rows of 33 floats: tile[y][x] lies in bank (33 y + x) % 32 = (y + x) % 32. On the way in, a warp stores four rows
//   of eight fours, on the way out it loads four columns of eight fours: y + x or 4 q + i + y, a different bank for
//   each of its 32 lanes. Nothing conflicts.
// - 256 threads, four floats each: one 16-byte load on its way in each thread, one index for four elements, and eight
//   blocks on a multiprocessor, of which some load while others store.
// - where a row's length is no multiple of four, rows do not begin at multiples of 16 bytes: then a thread moves single
//   floats of four rows, 32 x 8 threads at a time. Which of the two is asked once.
// - guards by element: whichever part of the tile lies outside `in` on the way in lies outside `out` on the way out, so
//   nothing is read that was not stored.
// - 64-bit products: R * C may pass 2^31.
#include "warpwise.h"

enum { TILE = 32, THREADS = 256, FOURS = TILE / 4, ROWS = THREADS / TILE };

LAUNCH(transpose, .block = {THREADS}, .tile = {TILE, TILE});

typedef float padded[TILE][TILE + 1];

// R and C are multiples of four, so a four lies inside the matrix or outside as a whole.
static __device__ inline void by_fours(padded tile, const float *__restrict__ in, float *__restrict__ out, int R, int C)
{
    int c0 = blockIdx.x * TILE, r0 = blockIdx.y * TILE; // the tile's corner in `in`
    int line = threadIdx.x / FOURS, four = threadIdx.x % FOURS * 4;

    if (r0 + line < R && c0 + four < C) {
        float4 v = *(const float4 *)(in + (size_t)(r0 + line) * C + c0 + four);
        tile[line][four + 0] = v.x;
        tile[line][four + 1] = v.y;
        tile[line][four + 2] = v.z;
        tile[line][four + 3] = v.w;
    }
    __syncthreads();
    if (c0 + line < C && r0 + four < R)
        *(float4 *)(out + (size_t)(c0 + line) * R + r0 + four) =
            make_float4(tile[four + 0][line], tile[four + 1][line], tile[four + 2][line], tile[four + 3][line]);
}

static __device__ inline void by_ones(padded tile, const float *__restrict__ in, float *__restrict__ out, int R, int C)
{
    int c0 = blockIdx.x * TILE, r0 = blockIdx.y * TILE;
    int line = threadIdx.x / TILE, lane = threadIdx.x % TILE;

#pragma unroll
    for (int j = 0; j < TILE; j += ROWS)
        if (r0 + line + j < R && c0 + lane < C) tile[line + j][lane] = in[(size_t)(r0 + line + j) * C + c0 + lane];
    __syncthreads();
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS)
        if (c0 + line + j < C && r0 + lane < R) out[(size_t)(c0 + line + j) * R + r0 + lane] = tile[lane][line + j];
}

extern "C" __global__ void transpose(const float *__restrict__ in, float *__restrict__ out, int R, int C)
{
    __shared__ padded tile;
    if (R % 4 == 0 && C % 4 == 0)
        by_fours(tile, in, out, R, C);
    else
        by_ones(tile, in, out, R, C);
}
