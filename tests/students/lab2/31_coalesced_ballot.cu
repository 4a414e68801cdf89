// active-mask broadcast of A through shuffles from a shared tile row kept in a register, vote for the fast path
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {64, 64});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float bs[32][64];
    __shared__ float as[64][32];
    const unsigned all = 0xffffffffu;
    const int lane = threadIdx.x, w = threadIdx.y;
    const int r0 = blockIdx.y * 64, c0 = blockIdx.x * 64;
    float s[8][2] = {};
    for (int m = 0; m < K; m += 32) {
        const bool inside = r0 + 64 <= M && c0 + 64 <= N && m + 32 <= K;
        if (__all_sync(all, inside)) {
            for (int i = w; i < 64; i += 8) as[i][lane] = A[(r0 + i) * K + m + lane];
            for (int i = w; i < 32; i += 8) {
                bs[i][lane] = B[(m + i) * N + c0 + lane];
                bs[i][lane + 32] = B[(m + i) * N + c0 + lane + 32];
            }
        } else {
            for (int i = w; i < 64; i += 8) as[i][lane] = r0 + i < M && m + lane < K ? A[(r0 + i) * K + m + lane] : 0.0f;
            for (int i = w; i < 32; i += 8) {
                bs[i][lane] = m + i < K && c0 + lane < N ? B[(m + i) * N + c0 + lane] : 0.0f;
                bs[i][lane + 32] = m + i < K && c0 + lane + 32 < N ? B[(m + i) * N + c0 + lane + 32] : 0.0f;
            }
        }
        __syncthreads();
        float mine[8];
#pragma unroll
        for (int i = 0; i < 8; i++) mine[i] = as[w * 8 + i][lane];
#pragma unroll 8
        for (int k = 0; k < 32; k++) {
            const float x = bs[k][lane], y = bs[k][lane + 32];
#pragma unroll
            for (int i = 0; i < 8; i++) {
                const float a = __shfl_sync(all, mine[i], k);
                s[i][0] += a * x;
                s[i][1] += a * y;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
        const int r = r0 + w * 8 + i, c = c0 + lane;
        if (r < M && c < N) C[r * N + c] = s[i][0];
        if (r < M && c + 32 < N) C[r * N + c + 32] = s[i][1];
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
