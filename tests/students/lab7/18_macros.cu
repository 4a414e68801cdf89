// macros hide loops, guards and the tile
#include "warpwise.h"
#define DIM 32
#define ROWS 8
#define LD (DIM + 1)
#define EACH(k) for (int k = threadIdx.y; k < DIM; k += ROWS)
#define SRC(y, x) in[(size_t)(y) * C + (x)]
#define DST(y, x) out[(size_t)(y) * R + (x)]
#define TILE(y, x) tile[(y) * LD + (x)]
#define INSIDE(y, x, h, w) ((y) < (h) && (x) < (w))

LAUNCH(transpose, .block = {DIM, ROWS}, .tile = {DIM, DIM});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[DIM * LD];
    const int bx = DIM * blockIdx.x, by = DIM * blockIdx.y, t = threadIdx.x;
    EACH(k) if (INSIDE(by + k, bx + t, R, C)) TILE(k, t) = SRC(by + k, bx + t);
    __syncthreads();
    EACH(k) if (INSIDE(bx + k, by + t, C, R)) DST(bx + k, by + t) = TILE(t, k);
}
