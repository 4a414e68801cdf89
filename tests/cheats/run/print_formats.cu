// lab0: not passed
// 52: formats that write, or run past an end.
#include <cstdio>
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int count;
    if (i < 2) printf("%n %s %1000000000d %.*f %999999s\n", &count, (const char *)in, 1, 1000000, 1.0, (const char *)8);
    if (i < n) out[i] = 0.0f;
}
