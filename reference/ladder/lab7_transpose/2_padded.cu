// Rung 2, the lesson's own step: two floats more in each row. Lane k of a half-warp reads bank (34 k + d) % 32 =
// (2 k + d) % 32, the other half the banks between: no conflict. (With one float more, the halves would meet.)
//
// Flaw: still an element a thread: an index of ten instructions for eight bytes moved, one load on its way in each
// thread, and a barrier between it and the store. Rung 3 gives a thread two.
#include "warpwise.h"

enum { X = 32, Y = 16, PAD = 2 };

LAUNCH(transpose, .block = {X, Y});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[Y][X + PAD];
    int row = blockIdx.y * Y + threadIdx.y, column = blockIdx.x * X + threadIdx.x;
    if (row < R && column < C) tile[threadIdx.y][threadIdx.x] = in[(size_t)row * C + column];
    __syncthreads();

    int thread = threadIdx.y * X + threadIdx.x, down = thread / Y, along = thread % Y;
    row = blockIdx.x * X + down, column = blockIdx.y * Y + along; // of `out`
    if (row < C && column < R) out[(size_t)row * R + column] = tile[along][down];
}
