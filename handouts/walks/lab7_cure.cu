// A tile is stored by rows and read by columns. In between, all wait.
// Sizes that are no multiples of T are left out.
#include "warpwise.h"

#define T 16

LAUNCH(transpose, .block = {T, T});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[T][T];
    int bx = blockIdx.x * T, by = blockIdx.y * T, tx = threadIdx.x, ty = threadIdx.y;
    tile[ty][tx] = in[(by + ty) * C + bx + tx];
    __syncthreads();
    out[(bx + ty) * R + by + tx] = tile[tx][ty];
}
