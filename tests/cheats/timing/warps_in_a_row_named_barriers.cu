// lab0: too slow
// 12: as warps_in_a_row_mbarrier, by named barriers.
#include "warpwise.h"

enum { EACH = 8 };
LAUNCH(scale, .block = {512}, .tile = {512 * EACH});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    unsigned warp = threadIdx.x / 32;
    if (warp) asm volatile("bar.sync %0, 64;" ::"r"(warp) : "memory");
    int first = blockIdx.x * 512 * EACH + warp * 32 * EACH + threadIdx.x % 32;
    for (int k = 0; k < EACH; k++)
        if (first + 32 * k < n) out[first + 32 * k] = 2.0f * in[first + 32 * k] + 1.0f;
    if (warp < 15) asm volatile("bar.arrive %0, 64;" ::"r"(warp + 1) : "memory");
}
