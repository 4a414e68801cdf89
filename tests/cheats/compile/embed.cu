// lab0: does not build
// 41: the file as a list of numbers, where the compiler knows how.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

static __device__ const unsigned char stolen[] = {
#embed "@SECRET@"
};

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + stolen[0];
}
