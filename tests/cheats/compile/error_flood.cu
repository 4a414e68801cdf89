// lab0: does not build
// 44: a page of errors a line.
template <int n> struct flood { static_assert(n < 0, "a long text that fills pages and pages and pages and pages"); flood<n - 1> next; };
template <> struct flood<0> {};
flood<800> all;
#define TEN(x) x x x x x x x x x x
TEN(TEN(TEN(TEN(undeclared;))))
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
