// lab0: too many instructions
// 50: each of many calls clears a frame of 400 KB for each thread.
#include "warpwise.h"
LAUNCH(scale, .block = {256});
static __device__ __noinline__ int through_a_large_frame(int k, int i)
{
    volatile int frame[100000];
    frame[k & 65535] = i;
    return frame[k & 65535];
}
extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    if (n == 1)
        for (int k = 0; k < 100000; k++) sum += through_a_large_frame(k, i);
    if (i < n) out[i] = 2.0f * in[i] + 1.0f + (sum == -7);
}
