// named barriers through asm "bar.sync 1, 256", and barrier.sync without a count
#include "warpwise.h"

enum { T = 32 };

LAUNCH(matmul, .block = {T, 8}, .tile = {2 * T, T});

#define WAIT_FULL() asm volatile("bar.sync 1, 256;" ::: "memory")
#define WAIT_EMPTY() asm volatile("bar.sync 2, 256;" ::: "memory")

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[T][T];
    __shared__ float b[T][2 * T];
    int x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * T, c = blockIdx.x * 2 * T + x;
    float s0[4] = {}, s1[4] = {};
    for (int m = 0; m < K; m += T) {
        for (int i = y; i < T; i += 8) {
            a[i][x] = r + i < M && m + x < K ? A[(r + i) * K + m + x] : 0;
            b[i][x] = m + i < K && c < N ? B[(m + i) * N + c] : 0;
            b[i][x + T] = m + i < K && c + T < N ? B[(m + i) * N + c + T] : 0;
        }
        WAIT_FULL();
        #pragma unroll
        for (int k = 0; k < T; k++) {
            float p = b[k][x], q = b[k][x + T];
            #pragma unroll
            for (int i = 0; i < 4; i++) {
                float v = a[y + 8 * i][k];
                s0[i] += v * p;
                s1[i] += v * q;
            }
        }
        WAIT_EMPTY();
    }
    #pragma unroll
    for (int i = 0; i < 4; i++) {
        int q = r + y + 8 * i;
        if (q < M && c < N) C[q * N + c] = s0[i];
        if (q < M && c + T < N) C[q * N + c + T] = s1[i];
    }
}

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float tile[];
    int w = blockDim.x, x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * w + y, c = blockIdx.x * w + x;
    float *a = tile, *b = tile + w * w, s = 0;
    for (int m = 0; m < K; m += w) {
        a[y * w + x] = r < M && m + x < K ? A[r * K + m + x] : 0;
        b[y * w + x] = m + y < K && c < N ? B[(m + y) * N + c] : 0;
        asm volatile("barrier.sync 0;" ::: "memory");
        for (int k = 0; k < w; k++) s += a[y * w + k] * b[k * w + x];
        asm volatile("bar.sync 0;" ::: "memory");
    }
    if (r < M && c < N) C[r * N + c] = s;
}
