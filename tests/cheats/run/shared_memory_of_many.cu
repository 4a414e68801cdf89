// lab0: too many instructions
// 50: millions of blocks that do nothing but have all shared memory of a multiprocessor cleared.
#include "warpwise.h"
LAUNCH(scale, .block = {32}, .grid = {4000000}, .shared = 200000);
extern "C" __global__ void scale(const float *in, float *out, int n)
{
    extern __shared__ float room[];
    if (n < 0) out[0] = room[n];
    for (long long i = blockIdx.x * 32ll + threadIdx.x; i < n; i += 4000000ll * 32) out[i] = 2.0f * in[i] + 1.0f;
}
