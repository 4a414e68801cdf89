// dynamic shared memory indexed by hand
#include "warpwise.h"

enum { X = 32, Y = 32, PAD = 1 };

LAUNCH(transpose, .block = {X, 8}, .tile = {X, Y}, .shared = Y * (X + PAD) * sizeof(float));

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    extern __shared__ float tile[];
    unsigned bx = blockIdx.x * X, by = blockIdx.y * Y;
    for (unsigned y = threadIdx.y; y < Y; y += blockDim.y) {
        unsigned c = bx + threadIdx.x, r = by + y;
        if (c < (unsigned)C && r < (unsigned)R) tile[y * (X + PAD) + threadIdx.x] = in[r * (size_t)C + c];
    }
    __syncthreads();
    for (unsigned y = threadIdx.y; y < X; y += blockDim.y) {
        unsigned c = by + threadIdx.x, r = bx + y;
        if (c < (unsigned)R && r < (unsigned)C) out[r * (size_t)R + c] = tile[threadIdx.x * (X + PAD) + y];
    }
}
