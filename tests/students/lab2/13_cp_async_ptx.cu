// cp.async in inline PTX with src-size for the zeros, commit_group / wait_group, three stages
#include <cstdint>
#include "warpwise.h"

namespace {
constexpr int T = 32, STAGES = 3, H = 8;

__device__ __forceinline__ void cp4(float *to, const float *from, bool ok)
{
    const uint32_t s = static_cast<uint32_t>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(s), "l"(from), "r"(ok ? 4 : 0) : "memory");
}
__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int n>
__device__ __forceinline__ void wait() { asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory"); }
}

LAUNCH(matmul, .block = {T, H}, .tile = {T, T});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[STAGES][T][T], Bs[STAGES][T][T];
    const int tx = threadIdx.x, ty = threadIdx.y, r0 = blockIdx.y * T, c = blockIdx.x * T + tx;
    const int phases = (K + T - 1) / T;
    auto load = [&](int q) {
        if (q < phases) {
            const int m = q * T, p = q % STAGES;
            for (int y = ty; y < T; y += H) {
                const bool a = r0 + y < M && m + tx < K, b = m + y < K && c < N;
                cp4(&As[p][y][tx], a ? A + (r0 + y) * K + m + tx : A, a);
                cp4(&Bs[p][y][tx], b ? B + (m + y) * N + c : B, b);
            }
        }
        commit(); // an empty group past the end keeps the count right
    };
    float s[T / H] = {};
    for (int q = 0; q < STAGES - 1; q++) load(q);
    for (int q = 0; q < phases; q++) {
        wait<STAGES - 2>();
        __syncthreads(); // phase q is here, and all are done with phase q - 1, whose stage is filled next
        load(q + STAGES - 1);
        const int p = q % STAGES;
#pragma unroll
        for (int k = 0; k < T; k++)
#pragma unroll
            for (int i = 0; i < T / H; i++) s[i] += As[p][ty + H * i][k] * Bs[p][k][tx];
    }
    wait<0>();
#pragma unroll
    for (int i = 0; i < T / H; i++)
        if (r0 + ty + H * i < M && c < N) C[(r0 + ty + H * i) * N + c] = s[i];
}

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float tile[];
    const int w = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
    float *As = tile, *Bs = tile + w * w;
    const int r = blockIdx.y * w + ty, c = blockIdx.x * w + tx;
    float sum = 0.0f;
    for (int phase = 0; phase < (K + w - 1) / w; phase++) {
        const int ka = phase * w + tx, kb = phase * w + ty;
        As[ty * w + tx] = (r < M && ka < K) ? A[r * K + ka] : 0.0f;
        Bs[ty * w + tx] = (kb < K && c < N) ? B[kb * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < w; k++)
            sum += As[ty * w + k] * Bs[k * w + tx];
        __syncthreads();
    }
    if (r < M && c < N)
        C[r * N + c] = sum;
}
