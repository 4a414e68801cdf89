// inline PTX: red.shared.add.u32 with a shared address from cvta, red.global.add.u32 for the merge
#include "warpwise.h"

LAUNCH(histogram, .block = {1024}, .per_sm = 2);

__device__ __forceinline__ unsigned shared_address(const void *p)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

extern "C" __global__ void __launch_bounds__(1024, 2) histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[256];
    if (threadIdx.x < 256) count[threadIdx.x] = 0;
    asm volatile("bar.sync 0;" ::: "memory");
    const unsigned base = shared_address(count);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned a = base + ((in[i] & 255u) << 2);
        asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(a), "r"(1u) : "memory");
    }
    asm volatile("bar.sync 0;" ::: "memory");
    if (threadIdx.x < 256)
        asm volatile("red.global.add.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(bins + threadIdx.x)), "r"(count[threadIdx.x]) : "memory");
}
