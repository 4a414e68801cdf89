// dynamic shared memory for both kernels, a struct of pointers carved out of one array
#include "warpwise.h"

struct Tiles {
    float *a, *b;
    int wa, wb;
};

__device__ Tiles carve(float *base, int rows, int depth, int cols)
{
    Tiles t;
    t.a = base;
    t.wa = depth + 1;
    t.b = base + rows * t.wa;
    t.wb = cols;
    return t;
}

extern __shared__ float bytes[];

LAUNCH(matmul, .block = {32, 8}, .tile = {64, 32}, .shared = (32 * 17 + 16 * 64) * sizeof(float));

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    const Tiles t = carve(bytes, 32, 16, 64);
    const int x = threadIdx.x, y = threadIdx.y, r0 = blockIdx.y * 32, c0 = blockIdx.x * 64;
    float s[4][2] = {};
    for (int m = 0; m < K; m += 16) {
        for (int i = y * 32 + x; i < 32 * 16; i += 256) {
            int r = i >> 4, k = i & 15;
            t.a[r * t.wa + k] = r0 + r < M && m + k < K ? A[(r0 + r) * K + m + k] : 0.f;
        }
        for (int i = y; i < 16; i += 8)
            for (int j = x; j < 64; j += 32)
                t.b[i * t.wb + j] = m + i < K && c0 + j < N ? B[(m + i) * N + c0 + j] : 0.f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            float b0 = t.b[k * t.wb + x], b1 = t.b[k * t.wb + x + 32];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float a = t.a[(y * 4 + i) * t.wa + k];
                s[i][0] += a * b0;
                s[i][1] += a * b1;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        int r = r0 + y * 4 + i;
        if (r >= M) break;
        if (c0 + x < N) C[r * N + c0 + x] = s[i][0];
        if (c0 + x + 32 < N) C[r * N + c0 + x + 32] = s[i][1];
    }
}

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    Tiles t;
    const int w = blockDim.x;
    t.a = bytes;
    t.b = &bytes[w * w];
    t.wa = t.wb = w;
    const int x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * w + y, c = blockIdx.x * w + x;
    float s = 0.f;
    for (int m = 0; m < K; m += w) {
        t.a[y * t.wa + x] = r < M && m + x < K ? A[r * K + m + x] : 0.f;
        t.b[y * t.wb + x] = m + y < K && c < N ? B[(m + y) * N + c] : 0.f;
        __syncthreads();
        for (int k = 0; k < w; k++) s += t.a[y * t.wa + k] * t.b[k * t.wb + x];
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = s;
}
