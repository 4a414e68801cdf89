// refused: input changed
// casts the const away and doubles in place first
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        ((float *)in)[i] *= 2.0f;
        out[i] = in[i] + 1.0f;
    }
}
