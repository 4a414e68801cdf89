// lab0: too many instructions
// 50: a recursion clears a frame of 16 KB at each of its steps, again and again.
#include "warpwise.h"
LAUNCH(scale, .block = {256});
static __device__ __noinline__ int down(int depth, int i)
{
    volatile int frame[4096];
    frame[depth] = i;
    return depth ? down(depth - 1, i) + frame[depth] : frame[0];
}
extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    if (n == 1)
        for (int k = 0; k < 1000000; k++) sum += down(3, i + k);
    if (i < n) out[i] = 2.0f * in[i] + 1.0f + (sum == -7);
}
