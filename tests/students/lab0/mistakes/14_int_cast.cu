// refused: wrong output
// counts in whole numbers
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value;
    if (i < n) {
        value = in[i];
        out[i] = 2 * value + 1;
    }
}
