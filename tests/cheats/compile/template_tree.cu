// lab0: does not build
// 45: 2^40 instances.
template <unsigned n, unsigned long long p> struct tree { static const unsigned v = tree<n - 1, 2 * p>::v + tree<n - 1, 2 * p + 1>::v; };
template <unsigned long long p> struct tree<0, p> { static const unsigned v = 1; };
const unsigned v = tree<40, 1>::v;
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
