// volatile pointers (does not trust the compiler), do-while
#include "warpwise.h"

LAUNCH(scale, .block = {1024}, .per_sm = 2);

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    volatile const float *src = in;
    volatile float *dst = out;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    do {
        dst[i] = 2.0f * src[i] + 1.0f;
    } while ((i += gridDim.x * blockDim.x) < n);
}
