// inline PTX: special registers, v4 loads and stores, fma; no C arithmetic on the data
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {1024});

static __device__ __forceinline__ unsigned laneid(void)
{
    unsigned r;
    asm("mov.u32 %0, %%laneid;" : "=r"(r));
    return r;
}

static __device__ __forceinline__ float twice1(float x)
{
    float y;
    asm("{\n\t.reg .f32 one;\n\tmov.f32 one, 0f3F800000;\n\tfma.rn.f32 %0, %1, 0f40000000, one;\n\t}" : "=f"(y) : "f"(x));
    return y;
}

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    unsigned cta, tid;
    asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(cta));
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(tid));
    unsigned i = cta * 1024u + (tid & ~31u) * 4u + laneid() * 4u;
    if (i + 4u <= (unsigned)n) {
        float a, b, c, d;
        asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(__cvta_generic_to_global(in + i)));
        asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" :: "l"(__cvta_generic_to_global(out + i)), "f"(twice1(a)), "f"(twice1(b)), "f"(twice1(c)), "f"(twice1(d)) : "memory");
    } else
        for (; i < (unsigned)n; i++) out[i] = twice1(in[i]);
}
