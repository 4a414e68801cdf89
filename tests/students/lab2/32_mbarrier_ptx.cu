// mbarrier in inline PTX: init, arrive, try_wait.parity loop; two stages with a phase bit
#include "warpwise.h"

#define T 32

__device__ __forceinline__ unsigned addr(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void mbar_init(unsigned long long *b, int n)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(addr(b)), "r"(n) : "memory");
}
__device__ __forceinline__ void mbar_arrive(unsigned long long *b)
{
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(addr(b)) : "memory");
}
__device__ __forceinline__ void mbar_wait(unsigned long long *b, unsigned parity)
{
    unsigned done;
    do {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(addr(b)), "r"(parity) : "memory");
    } while (!done);
}

LAUNCH(matmul, .block = {T, 8}, .tile = {T, T});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[2][T][T], b[2][T][T];
    __shared__ __align__(8) unsigned long long full[2];
    const int x = threadIdx.x, y = threadIdx.y, r0 = blockIdx.y * T, c = blockIdx.x * T + x;
    if (x == 0 && y == 0) {
        mbar_init(&full[0], T * 8);
        mbar_init(&full[1], T * 8);
    }
    __syncthreads();
    float s[4] = {};
    for (int m = 0, q = 0; m < K; m += T, q++) {
        const int p = q & 1;
        for (int i = y; i < T; i += 8) {
            a[p][i][x] = r0 + i < M && m + x < K ? A[(r0 + i) * K + m + x] : 0.0f;
            b[p][i][x] = m + i < K && c < N ? B[(m + i) * N + c] : 0.0f;
        }
        mbar_arrive(&full[p]);
        mbar_wait(&full[p], (q >> 1) & 1);
#pragma unroll
        for (int k = 0; k < T; k++)
#pragma unroll
            for (int i = 0; i < 4; i++) s[i] += a[p][y + 8 * i][k] * b[p][k][x];
        // stage p is filled again after all have arrived at the other stage's barrier: one barrier a phase
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        if (r0 + y + 8 * i < M && c < N) C[(r0 + y + 8 * i) * N + c] = s[i];
}
#undef T

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
