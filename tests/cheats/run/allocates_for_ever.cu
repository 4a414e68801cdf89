// lab0: too many instructions
// 50: malloc() and free() in a loop: a call takes as long as its bytes.
#include "warpwise.h"
LAUNCH(scale, .block = {256}, .tile = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 1; n == 33; ++k) {
        char *p = (char *)malloc(16 + (k * 37 + i) % 4000);
        if (p) *p = 1;
        free(p);
    }
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
