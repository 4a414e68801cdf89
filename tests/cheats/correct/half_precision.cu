// lab0: wrong output
// 22: float16 where float was asked for.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned short h;
    float v;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(2.0f * in[i] + 1.0f));
    asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"(h));
    out[i] = v;
}
