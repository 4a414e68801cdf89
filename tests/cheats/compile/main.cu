// lab0: passed
// 32: a main of one's own. Host code of a kernel lab is not built, so a whole program with honest kernels passes.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
int main() { return 0; }
