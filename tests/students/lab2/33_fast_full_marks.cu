// 128 x 64 tile, 8 x 8 sums of 128 threads, __launch_bounds__, __ldg, __restrict__, no double buffer
#include "warpwise.h"

LAUNCH(matmul, .block = {8, 16}, .tile = {64, 128});

extern "C" __global__ __launch_bounds__(128) void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K)
{
    constexpr int BM = 128, BN = 64, BK = 8;
    __shared__ float a[BK][BM + 1];
    __shared__ float b[BK][BN];
    const int x = threadIdx.x, y = threadIdx.y, t = y * 8 + x;
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;
    float s[8][8] = {};
    for (int m = 0; m < K; m += BK) {
        #pragma unroll
        for (int i = 0; i < 8; ++i) {
            const int r = y + 16 * i;
            a[x][r] = r0 + r < M && m + x < K ? __ldg(&A[(r0 + r) * K + m + x]) : 0.0f;
        }
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int k = t / 64 + 2 * i, c = t % 64;
            b[k][c] = m + k < K && c0 + c < N ? __ldg(&B[(m + k) * N + c0 + c]) : 0.0f;
        }
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < BK; ++k) {
            float u[8], v[8];
            #pragma unroll
            for (int i = 0; i < 8; ++i) { u[i] = a[k][y + 16 * i]; v[i] = b[k][x + 8 * i]; }
            #pragma unroll
            for (int i = 0; i < 8; ++i)
                #pragma unroll
                for (int j = 0; j < 8; ++j) s[i][j] += u[i] * v[j];
        }
        __syncthreads();
    }
    #pragma unroll
    for (int i = 0; i < 8; ++i)
        #pragma unroll
        for (int j = 0; j < 8; ++j) {
            const int r = r0 + y + 16 * i, c = c0 + x + 8 * j;
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
