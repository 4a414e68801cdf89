// lab0: does not build | bad launch
// 26: a function that somebody else may have.
#include "warpwise.h"

LAUNCH(scale, .block = {256});
extern "C" __device__ float reference(float);
extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = reference(in[i]);
}
