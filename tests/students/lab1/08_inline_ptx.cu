// inline PTX: ld.global.nc, fma.rn, st.global, %tid and %laneid, predicates in asm
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {64, 32});

__device__ __forceinline__ float ldnc(const float *p)
{
    float v;
    asm("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(p));
    return v;
}
__device__ __forceinline__ void fma_(float &d, float a, float b)
{
    asm("fma.rn.f32 %0, %1, %2, %0;" : "+f"(d) : "f"(a), "f"(b));
}
__device__ __forceinline__ void st_if(float *p, float v, bool ok)
{
    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 "setp.ne.s32 p, %2, 0;\n\t"
                 "@p st.global.f32 [%0], %1;\n\t"
                 "}" :: "l"(p), "f"(v), "r"((int)ok) : "memory");
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    unsigned lane, ty;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));   // block is 32 wide: lane == threadIdx.x
    asm("mov.u32 %0, %%tid.y;" : "=r"(ty));
    int c = blockIdx.x * 64 + lane, r = blockIdx.y * 32 + ty * 4;
    if (c >= N || r >= M) return;
    int c1 = min(c + 32, N - 1);
    const float *a0 = A + r * K, *a1 = A + min(r + 1, M - 1) * K, *a2 = A + min(r + 2, M - 1) * K,
                *a3 = A + min(r + 3, M - 1) * K;
    float s[8] = {0, 0, 0, 0, 0, 0, 0, 0};
#pragma unroll 4
    for (int k = 0; k < K; k++) {
        float x = ldnc(B + k * N + c), y = ldnc(B + k * N + c1);
        float p = ldnc(a0 + k), q = ldnc(a1 + k), u = ldnc(a2 + k), v = ldnc(a3 + k);
        fma_(s[0], p, x); fma_(s[1], p, y);
        fma_(s[2], q, x); fma_(s[3], q, y);
        fma_(s[4], u, x); fma_(s[5], u, y);
        fma_(s[6], v, x); fma_(s[7], v, y);
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        st_if(C + (r + i) * N + c, s[2 * i], r + i < M);
        st_if(C + (r + i) * N + c + 32, s[2 * i + 1], r + i < M && c + 32 < N);
    }
}
