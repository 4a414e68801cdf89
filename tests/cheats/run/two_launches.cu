// lab0: does not build | bad launch | passed | too slow
// 18: a device variable where a launch is read, changed by the kernel.
#include "warpwise.h"

LAUNCH(scale, .block = {256});
extern "C" __device__ unsigned other_launch[16] = {1};
extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (!i) other_launch[0] = 1u << 30;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
