// volatile shared tiles, as in very old samples
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 64});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    volatile __shared__ float as[64][32];
    volatile __shared__ float bs[32][32];
    int x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * 64, c = blockIdx.x * 32 + x;
    float s[8] = {};
    for (int m = 0; m < K; m += 32) {
        for (int i = y; i < 64; i += 8) as[i][x] = r + i < M && m + x < K ? A[(r + i) * K + m + x] : 0.f;
        for (int i = y; i < 32; i += 8) bs[i][x] = m + i < K && c < N ? B[(m + i) * N + c] : 0.f;
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < 32; k++) {
            float b = bs[k][x];
            #pragma unroll
            for (int i = 0; i < 8; i++) s[i] += as[y + 8 * i][k] * b;
        }
        __syncthreads();
    }
    #pragma unroll
    for (int i = 0; i < 8; i++)
        if (r + y + 8 * i < M && c < N) C[(r + y + 8 * i) * N + c] = s[i];
}

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern volatile __shared__ float v[];
    int w = blockDim.x, x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * w + y, c = blockIdx.x * w + x, o = w * w;
    float s = 0.f;
    for (int m = 0; m < K; m += w) {
        v[y * w + x] = r < M && m + x < K ? A[r * K + m + x] : 0.f;
        v[o + y * w + x] = m + y < K && c < N ? B[(m + y) * N + c] : 0.f;
        __syncthreads();
        for (int k = 0; k < w; k++) s += v[y * w + k] * v[o + k * w + x];
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = s;
}
