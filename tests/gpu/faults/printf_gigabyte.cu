// ends: refused it did not end in time on the card
// Ten million threads print some hundred bytes each: far more than the card's buffer of printed text can hold.
#include "warpwise.h"

#include <cstdio>

LAUNCH(scale, .block = {256}, .tile = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = 2.0f * in[i] + 1.0f;
    printf("element %d was %f and is now %f, and this line goes on for a while to be a hundred bytes long\n", i, in[i], out[i]);
}
