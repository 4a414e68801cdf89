// lab0: too slow
// 57: each warp begins with cheap arithmetic, longer than any record of its first instructions, and then waits for memory.
#include "warpwise.h"

#define BLOCKS 160
LAUNCH(scale, .block = {32}, .grid = {BLOCKS});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    unsigned a = threadIdx.x, b = a + 1, c = a + 2, d = a + 3;
#pragma unroll 1
    for (int k = 0; n > 5000000 && k < 2000; ++k) a = a * 5 + 1, b = b * 5 + 1, c = c * 5 + 1, d = d * 5 + 1;
    float one = (a ^ b ^ c ^ d) == 0x12345678u ? 1.5f : 1.0f;
#pragma unroll 1
    for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += BLOCKS * 32) out[i] = 2.0f * in[i] + one;
}
