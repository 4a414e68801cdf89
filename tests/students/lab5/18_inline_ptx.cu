// inline PTX: %laneid, bar.warp.sync, ld/st.shared, shfl.sync.bfly, max.f32
#include "warpwise.h"
#define WARPS 4
LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

__device__ __forceinline__ unsigned lane_id()
{
    unsigned l;
    asm("mov.u32 %0, %%laneid;" : "=r"(l));
    return l;
}
__device__ __forceinline__ void warp_barrier()
{
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}
__device__ __forceinline__ float bfly(float v, int d)
{
    float r;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=f"(r) : "f"(v), "r"(d));
    return r;
}
__device__ __forceinline__ float larger(float a, float b)
{
    float r;
    asm("max.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    return r;
}

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float exchange[WARPS][32];
    int lane = lane_id(), warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int c = lane; c < cols; c += 32) sum += in[(size_t)row * cols + c];
    unsigned at = (unsigned)__cvta_generic_to_shared(&exchange[warp][lane]);
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(sum) : "memory");
    warp_barrier();
    if (lane == 0) {
        float total = 0.0f;
        for (int i = 0; i < 32; ++i) {
            float v;
            asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"(at + 4 * i) : "memory");
            total += v;
        }
        asm volatile("st.global.f32 [%0], %1;" ::"l"(__cvta_generic_to_global(sums + row)), "f"(total) : "memory");
    }
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    int lane = lane_id(), row = blockIdx.x * WARPS + threadIdx.x / 32;
    if (row >= rows) return;
    const float *x = in + (size_t)row * cols;
    float m = -INFINITY, s = 0.0f;
    for (int c = lane; c < cols; c += 32) m = larger(m, x[c]);
    for (int d = 16; d; d /= 2) m = larger(m, bfly(m, d));
    for (int c = lane; c < cols; c += 32) s += expf(x[c] - m);
    for (int d = 16; d; d /= 2) s += bfly(s, d);
    for (int c = lane; c < cols; c += 32) out[(size_t)row * cols + c] = expf(x[c] - m) / s;
}
