// 128 x 128 x 8 tiles, 8 x 8 sums, float4 from shared memory, two pairs of tiles and one barrier a phase
#include "warpwise.h"

constexpr int BM = 128, BN = 128, BK = 8;

LAUNCH(matmul, .block = {256}, .tile = {BN, BM});

extern "C" __global__ void __launch_bounds__(256) matmul(const float *__restrict__ A, const float *__restrict__ B,
                                                         float *__restrict__ C, int M, int N, int K)
{
    __shared__ __align__(16) float As[2][BK][BM + 4];
    __shared__ __align__(16) float Bs[2][BK][BN];
    const int t = threadIdx.x;
    const int tr = t / 16 * 4, tc = t % 16 * 4;
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;
    float s[8][8] = {};
    float la[4], lb[4];

    auto fetch = [&](int m) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            int ra = t / 8 + 32 * i, ka = t % 8;
            la[i] = r0 + ra < M && m + ka < K ? A[(r0 + ra) * K + m + ka] : 0.0f;
            int kb = t / 128 + 2 * i, cb = t % 128;
            lb[i] = m + kb < K && c0 + cb < N ? B[(m + kb) * N + c0 + cb] : 0.0f;
        }
    };
    auto put = [&](int p) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            As[p][t % 8][t / 8 + 32 * i] = la[i];
            Bs[p][t / 128 + 2 * i][t % 128] = lb[i];
        }
    };

    int p = 0;
    if (K > 0) {
        fetch(0);
        put(0);
        __syncthreads();
    }
    for (int m = 0; m < K; m += BK) {
        const bool more = m + BK < K;
        if (more) fetch(m + BK);
#pragma unroll
        for (int k = 0; k < BK; k++) {
            const float4 a0 = *(const float4 *)&As[p][k][tr], a1 = *(const float4 *)&As[p][k][tr + 64];
            const float4 b0 = *(const float4 *)&Bs[p][k][tc], b1 = *(const float4 *)&Bs[p][k][tc + 64];
            const float a[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
            const float b[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
            for (int i = 0; i < 8; i++)
#pragma unroll
                for (int j = 0; j < 8; j++) s[i][j] += a[i] * b[j];
        }
        if (more) {
            put(p ^ 1);
            __syncthreads();
            p ^= 1;
        }
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
        int r = r0 + tr + i % 4 + i / 4 * 64;
        if (r >= M) continue;
#pragma unroll
        for (int j = 0; j < 8; j++) {
            int c = c0 + tc + j % 4 + j / 4 * 64;
            if (c < N) C[r * N + c] = s[i][j];
        }
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
