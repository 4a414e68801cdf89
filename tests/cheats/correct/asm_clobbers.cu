// lab0: out of bounds
// 19: assembly that makes an address of a number, so that no compiler sees where it reads: words behind the input.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    asm volatile("{ .reg .u64 a; cvta.to.global.u64 a, %1; add.u64 a, a, %2; ld.global.f32 %0, [a]; }"
                 : "=f"(v) : "l"(out), "l"((unsigned long long)(1 << 20)));
    if (i < n) out[i] = v;
}
