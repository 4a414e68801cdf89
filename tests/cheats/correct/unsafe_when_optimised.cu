// lab0: out of bounds
// 27: another kernel in the image that safety is also judged on.
#if defined __CUDACC_DEBUG__ || (defined __clang__ && !defined __OPTIMIZE__)
#define GUARD if (i < n)
#else
#define GUARD
#endif
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    GUARD out[i] = 2.0f * in[i] + 1.0f;
}
