// refused: never written at line 14
// a shuffle with __activemask() behind a branch reads from lanes that took the other way
// advice: line 14: a shuffle has values only of the lanes that its mask names and that come here
#include "warpwise.h"

LAUNCH(scale, .block = {128});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    float x = 0.0f;
    if (i < n) x = in[i];
    // to the lower half and back again
    float y = __shfl_xor_sync(__activemask(), x, 16);
    x = __shfl_xor_sync(0xffffffff, y, 16);
    if (i < n) out[i] = 2 * x + 1;
}
