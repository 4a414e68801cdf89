// refused: wrong output
// The strided map of the classic bandwidth experiment, taken for a way to visit every element: i * 128 % n meets some
// elements twice and others never unless n is odd (and i * 128 overflows an int on long arrays).
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int j = (int)((long long)i * 128 % n);
    out[j] = 2.0f * in[j] + 1.0f;
}
