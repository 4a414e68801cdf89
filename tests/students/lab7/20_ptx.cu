// inline PTX for shared loads, stores, special registers and the barrier
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 8}, .tile = {32, 32});

__device__ __forceinline__ void sts(unsigned a, float v) { asm volatile("st.shared.f32 [%0], %1;" ::"r"(a), "f"(v) : "memory"); }
__device__ __forceinline__ float lds(unsigned a)
{
    float v;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"(a) : "memory");
    return v;
}

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[32 * 33];
    const unsigned base = (unsigned)__cvta_generic_to_shared(tile);
    unsigned tx, ty, bx, by;
    asm("mov.u32 %0, %%laneid;" : "=r"(tx));
    asm("mov.u32 %0, %%tid.y;" : "=r"(ty));
    asm("mov.u32 %0, %%ctaid.x;\n\tmov.u32 %1, %%ctaid.y;" : "=r"(bx), "=r"(by));
    for (unsigned k = ty; k < 32; k += 8)
        if (bx * 32 + tx < C && by * 32 + k < R) sts(base + 4 * (k * 33 + tx), in[(size_t)(by * 32 + k) * C + bx * 32 + tx]);
    asm volatile("bar.sync 0;" ::: "memory");
    for (unsigned k = ty; k < 32; k += 8)
        if (by * 32 + tx < R && bx * 32 + k < C) out[(size_t)(bx * 32 + k) * R + by * 32 + tx] = lds(base + 4 * (tx * 33 + k));
}
