// 3-D block {16, 16, 2}: z shares out the depth of each tile; the halves meet in shared memory at the end
#include "warpwise.h"

LAUNCH(matmul, .block = {16, 16, 2}, .tile = {64, 64, 2});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    constexpr int D = 16;
    __shared__ float a[D][64 + 1], b[D][64];
    __shared__ float other[64][64];
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, t = (z * 16 + y) * 16 + x;
    const int r0 = blockIdx.y * 64, c0 = blockIdx.x * 64;
    float s[4][4] = {};
    for (int m = 0; m < K; m += D) {
        for (int i = t; i < 64 * D; i += 512) {
            int r = i / D, k = i % D;
            a[k][r] = r0 + r < M && m + k < K ? A[(r0 + r) * K + m + k] : 0.f;
            int kk = i / 64, c = i % 64;
            b[kk][c] = m + kk < K && c0 + c < N ? B[(m + kk) * N + c0 + c] : 0.f;
        }
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < D / 2; k++) {
            #pragma unroll
            for (int i = 0; i < 4; i++)
                #pragma unroll
                for (int j = 0; j < 4; j++) s[i][j] += a[z * (D / 2) + k][y + 16 * i] * b[z * (D / 2) + k][x + 16 * j];
        }
        __syncthreads();
    }
    if (z == 1) {
        #pragma unroll
        for (int i = 0; i < 4; i++)
            #pragma unroll
            for (int j = 0; j < 4; j++) other[y + 16 * i][x + 16 * j] = s[i][j];
    }
    __syncthreads();
    if (z == 0) {
        #pragma unroll
        for (int i = 0; i < 4; i++)
            #pragma unroll
            for (int j = 0; j < 4; j++) {
                int r = r0 + y + 16 * i, c = c0 + x + 16 * j;
                if (r < M && c < N) C[r * N + c] = s[i][j] + other[y + 16 * i][x + 16 * j];
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
