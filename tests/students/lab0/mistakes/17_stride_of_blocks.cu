// refused: too many instructions at line 10; wrong output
// the stride counts blocks, not threads, so most elements are computed many times
// advice: line 10: write 'gridDim.x * blockDim.x' instead of 'gridDim.x'
#include "warpwise.h"

LAUNCH(scale, .block = {512}, .per_sm = 4);

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    for (int k = threadIdx.x + blockDim.x * blockIdx.x; k < n; k += gridDim.x) {
        float x = in[k];
        out[k] = x + x + 1.0f;
    }
}
