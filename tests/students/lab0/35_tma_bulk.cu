// Hopper: cp.async.bulk with an mbarrier brings a tile, tail loaded by hand
#include <cstdint>
#include "warpwise.h"

#define TILE 1024
LAUNCH(scale, .block = {256}, .tile = {TILE});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    __shared__ alignas(128) float tile[TILE];
    __shared__ alignas(8) uint64_t bar;
    int first = blockIdx.x * TILE;
    if (first + TILE > n) {
        for (int i = first + threadIdx.x; i < n; i += blockDim.x) out[i] = 2.f * in[i] + 1.f;
        return;
    }
    uint32_t b = (uint32_t)__cvta_generic_to_shared(&bar), d = (uint32_t)__cvta_generic_to_shared(tile);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"((uint32_t)sizeof tile) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(d), "l"(in + first), "r"((uint32_t)sizeof tile), "r"(b) : "memory");
    }
    uint32_t done;
    do
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(done) : "r"(b), "r"(0) : "memory");
    while (!done);
    for (int k = threadIdx.x; k < TILE; k += blockDim.x) out[first + k] = 2.f * tile[k] + 1.f;
}
