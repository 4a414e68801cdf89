// odd sizes: 24 x 24 threads in 1-D would be dull, so 24 x 12 on a 48 x 48 tile, 20 deep
#include "warpwise.h"

enum : int { BX = 24, BY = 12, W = 48, D = 20, THREADS = BX * BY };

LAUNCH(matmul, .block = {BX, BY}, .tile = {W, W});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[W][D + 1], b[D][W];
    int tx = threadIdx.x, ty = threadIdx.y, t = tx + BX * ty;
    int r0 = blockIdx.y * W, c0 = blockIdx.x * W;
    float s[4][2] = {};
    for (int m = 0; m < K; m += D) {
        for (int i = t; i < W * D; i += THREADS) {
            int r = i / D, k = i % D;
            a[r][k] = r0 + r < M && m + k < K ? A[(r0 + r) * K + m + k] : 0;
            k = i / W;
            int c = i % W;
            b[k][c] = m + k < K && c0 + c < N ? B[(m + k) * N + c0 + c] : 0;
        }
        __syncthreads();
        #pragma unroll 5
        for (int k = 0; k < D; k++)
            #pragma unroll
            for (int i = 0; i < 4; i++) {
                s[i][0] += a[ty + BY * i][k] * b[k][tx];
                s[i][1] += a[ty + BY * i][k] * b[k][tx + BX];
            }
        __syncthreads();
    }
    #pragma unroll
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++) {
            int r = r0 + ty + BY * i, c = c0 + tx + BX * j;
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
