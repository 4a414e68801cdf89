// lab0: does not build
// 45: a loop of 2^40 turns at compile time.
constexpr unsigned long long turn() { unsigned long long s = 0; for (unsigned long long i = 0; i < (1ull << 40); ++i) s += i; return s; }
constexpr unsigned long long all = turn();
static_assert(all, "");
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
