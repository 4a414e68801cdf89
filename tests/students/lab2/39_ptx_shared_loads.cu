// shared memory through asm: st.shared, ld.shared.v4 and cvta in PTX, operands kept in registers
#include "warpwise.h"

LAUNCH(matmul, .block = {16, 8}, .tile = {64, 64});

static __device__ __forceinline__ void sts(unsigned at, float v) { asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(v) : "memory"); }
static __device__ __forceinline__ float4 lds4(unsigned at)
{
    float4 v;
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"(at) : "memory");
    return v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) float a[16 * 68], b[16 * 64];
    unsigned pa, pb;
    asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(pa) : "l"(a));
    asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(pb) : "l"(b));
    const int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x, r0 = blockIdx.y * 64, c0 = blockIdx.x * 64;
    float s[8][4] = {};
    for (int m = 0; m < K; m += 16) {
        for (int i = t; i < 64 * 16; i += 128) {
            const int r = i / 16, k = i % 16;
            sts(pa + (k * 68 + r) * 4, r0 + r < M && m + k < K ? A[(r0 + r) * K + m + k] : 0.0f);
            const int kb = i / 64, c = i % 64;
            sts(pb + (kb * 64 + c) * 4, m + kb < K && c0 + c < N ? B[(m + kb) * N + c0 + c] : 0.0f);
        }
        asm volatile("bar.sync 0;" ::: "memory");
#pragma unroll
        for (int k = 0; k < 16; k++) {
            const float4 u = lds4(pa + (k * 68 + y * 8) * 4), v = lds4(pa + (k * 68 + y * 8 + 4) * 4), w = lds4(pb + (k * 64 + x * 4) * 4);
            const float p[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w}, q[4] = {w.x, w.y, w.z, w.w};
#pragma unroll
            for (int i = 0; i < 8; i++)
#pragma unroll
                for (int j = 0; j < 4; j++) asm("fma.rn.f32 %0, %1, %2, %0;" : "+f"(s[i][j]) : "f"(p[i]), "f"(q[j]));
        }
        asm volatile("bar.sync 0;" ::: "memory");
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int r = r0 + y * 8 + i, c = c0 + x * 4 + j;
            if (r < M && c < N) C[r * N + c] = s[i][j];
        }
}

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float tile[];
    const int T = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
    float *As = tile, *Bs = tile + T * T;
    const int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float sum = 0.0f;
    for (int phase = 0; phase < (K + T - 1) / T; phase++) {
        const int ka = phase * T + tx, kb = phase * T + ty;
        As[ty * T + tx] = (r < M && ka < K) ? A[r * K + ka] : 0.0f;
        Bs[ty * T + tx] = (kb < K && c < N) ? B[kb * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += As[ty * T + k] * Bs[k * T + tx];
        __syncthreads();
    }
    if (r < M && c < N)
        C[r * N + c] = sum;
}
