// beginner: everything written out four times with many temporaries
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[32][33]; // 33 because of the banks

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int blockColumn = blockIdx.x * 32;
    int blockRow = blockIdx.y * 32;

    // reading: x is the column, the y's are the four rows of this thread
    int column = blockColumn + tx;
    int row0 = blockRow + ty;
    int row1 = row0 + 8;
    int row2 = row1 + 8;
    int row3 = row2 + 8;
    float a = 0.0f;
    float b = 0.0f;
    float c = 0.0f;
    float d = 0.0f;
    if (column < C) {
        if (row0 < R) { a = in[(size_t)row0 * (size_t)C + (size_t)column]; }
        if (row1 < R) { b = in[(size_t)row1 * (size_t)C + (size_t)column]; }
        if (row2 < R) { c = in[(size_t)row2 * (size_t)C + (size_t)column]; }
        if (row3 < R) { d = in[(size_t)row3 * (size_t)C + (size_t)column]; }
    }
    tile[ty][tx] = a;
    tile[ty + 8][tx] = b;
    tile[ty + 16][tx] = c;
    tile[ty + 24][tx] = d;

    // wait for everybody
    __syncthreads();

    // writing: now x runs along the rows of the input
    int outColumn = blockRow + tx;
    int outRow0 = blockColumn + ty;
    int outRow1 = outRow0 + 8;
    int outRow2 = outRow1 + 8;
    int outRow3 = outRow2 + 8;
    float e = tile[tx][ty];
    float f = tile[tx][ty + 8];
    float g = tile[tx][ty + 16];
    float h = tile[tx][ty + 24];
    if (outColumn < R) {
        if (outRow0 < C) { out[(size_t)outRow0 * (size_t)R + (size_t)outColumn] = e; }
        if (outRow1 < C) { out[(size_t)outRow1 * (size_t)R + (size_t)outColumn] = f; }
        if (outRow2 < C) { out[(size_t)outRow2 * (size_t)R + (size_t)outColumn] = g; }
        if (outRow3 < C) { out[(size_t)outRow3 * (size_t)R + (size_t)outColumn] = h; }
    }
}
