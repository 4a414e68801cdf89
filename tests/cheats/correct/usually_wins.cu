// lab7: race
// 27: a race that the lockstep of a warp decides rightly.
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[32][33];
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32;
    for (int k = threadIdx.y; k < 32; k += 8)
        if (r + k < rows && c < columns) tile[k][threadIdx.x] = in[(size_t)(r + k) * columns + c];
    int oc = r + threadIdx.x, orow = blockIdx.x * 32;
    for (int k = threadIdx.y; k < 32; k += 8)
        if (orow + k < columns && oc < rows) out[(size_t)(orow + k) * rows + oc] = tile[threadIdx.x][k];
}
