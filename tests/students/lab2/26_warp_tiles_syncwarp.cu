// a tile for each warp, __syncwarp() instead of __syncthreads(): each warp makes 32 x 32 outputs of its own
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 4}, .tile = {32, 128});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float as[4][8][33], bs[4][8][32];
    const int lane = threadIdx.x, w = threadIdx.y;
    const int r0 = blockIdx.y * 128 + w * 32, c0 = blockIdx.x * 32;
    float(*a)[33] = as[w];
    float(*b)[32] = bs[w];
    const int lr = lane / 4, lc = lane % 4; // 8 x 4 lanes with 4 x 8 sums each
    float s[4][8] = {};
    for (int m = 0; m < K; m += 8) {
#pragma unroll
        for (int i = 0; i < 8; i++) {
            const int r = lane / 8 + 4 * i, k = lane % 8;
            a[k][r] = r0 + r < M && m + k < K ? A[(r0 + r) * K + m + k] : 0.0f;
            b[i][lane] = m + i < K && c0 + lane < N ? B[(m + i) * N + c0 + lane] : 0.0f;
        }
        __syncwarp();
#pragma unroll
        for (int k = 0; k < 8; k++) {
            float x[4], y[8];
#pragma unroll
            for (int i = 0; i < 4; i++) x[i] = a[k][lr + 8 * i];
#pragma unroll
            for (int j = 0; j < 8; j++) y[j] = b[k][lc + 4 * j];
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 8; j++) s[i][j] += x[i] * y[j];
        }
        __syncwarp();
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) {
            const int r = r0 + lr + 8 * i, c = c0 + lc + 4 * j;
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
