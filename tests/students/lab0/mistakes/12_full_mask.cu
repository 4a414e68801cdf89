// refused: bad lane mask at line 13; bad lane mask at line 14; wrong output
// a shuffle with the full mask behind the guard, where the last warp has not all lanes
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = in[i];
        // swap with the neighbour and back again
        float y = __shfl_xor_sync(0xffffffff, x, 1);
        y = __shfl_xor_sync(0xffffffff, y, 1);
        out[i] = 2.0f * y + 1.0f;
    }
}
