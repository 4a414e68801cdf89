// lab0: technique
// 59: each thread has its own piece of the array, as in the baseline, and reads and writes it by atomics.
#include "warpwise.h"
enum { EACH = 32, BLOCK = 256 };
LAUNCH(scale, .block = {BLOCK}, .tile = {BLOCK * EACH});
extern "C" __global__ void scale(const float *in, float *out, int n)
{
    for (int k = 0; k < EACH; k++) {
        int i = (blockIdx.x * BLOCK + threadIdx.x) * EACH + k;
        if (i < n) atomicExch(&out[i], 2.0f * __int_as_float(atomicOr((int *)&in[i], 0)) + 1.0f);
    }
}
