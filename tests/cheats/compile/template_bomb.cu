// lab0: does not build
// 45: recursion without an end.
template <unsigned n> struct deep { static const unsigned v = deep<n + 1>::v; };
const unsigned v = deep<0>::v;
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
