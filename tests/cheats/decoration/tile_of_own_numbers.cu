// lab2: technique
// 59: each thread stores its own numbers in a tile and reads them back. Shuffles bring the other lanes' numbers.
#include "warpwise.h"

#define ROWS 8 // of a warp
#define COLS 4 // of a lane, 32 apart

LAUNCH(matmul, .block = {256}, .tile = {32 * COLS, 8 * ROWS});
LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ volatile float tile[256];
    int lane = threadIdx.x % 32, c0 = blockIdx.x * 32 * COLS + lane, r0 = (blockIdx.y * 8 + threadIdx.x / 32) * ROWS;
    float sum[ROWS][COLS] = {};
    for (int m = 0; m < K; m += 32) {
        float a[ROWS];
        for (int r = 0; r < ROWS; ++r) {
            tile[threadIdx.x] = r0 + r < M && m + lane < K ? A[(size_t)(r0 + r) * K + m + lane] : 0.0f;
            a[r] = tile[threadIdx.x];
            a[r] = 0.5f * (a[r] + tile[threadIdx.x]);
        }
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < 32; ++k) {
            float b[COLS];
            for (int c = 0; c < COLS; ++c)
                b[c] = m + k < K && c0 + 32 * c < N ? B[(size_t)(m + k) * N + c0 + 32 * c] : 0.0f;
            for (int r = 0; r < ROWS; ++r) {
                float x = __shfl_sync(0xffffffffu, a[r], k);
                for (int c = 0; c < COLS; ++c) sum[r][c] += x * b[c];
            }
        }
    }
    for (int r = 0; r < ROWS; ++r)
        for (int c = 0; c < COLS; ++c)
            if (r0 + r < M && c0 + 32 * c < N) C[(size_t)(r0 + r) * N + c0 + 32 * c] = sum[r][c];
}

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float both[];
    int T = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
    int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float *As = both, *Bs = both + T * T, sum = 0.0f;
    for (int m = 0; m < K; m += T) {
        As[ty * T + tx] = r < M && m + tx < K ? A[r * K + m + tx] : 0.0f;
        Bs[ty * T + tx] = m + ty < K && c < N ? B[(m + ty) * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; k++) sum += As[ty * T + k] * Bs[k * T + tx];
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = sum;
}
