// ends: refused it did not end in time on the card
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    volatile float *cell = out;
    while (cell[0] != 1.0f) cell[1] = in[0];
}
