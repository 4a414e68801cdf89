// volatile output, __threadfence() at the end, function pointer for the guard policy
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {64, 32});

typedef int (*clamp_fn)(int, int);
__device__ int clamp_hi(int i, int n) { return i < n ? i : n - 1; }

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    clamp_fn f = clamp_hi;
    volatile float *out = C;
    int c = blockIdx.x * 64 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y * 4;
    if (c < N && r < M) {
        int d = f(c + 32, N);
        const float *a0 = A + f(r, M) * K, *a1 = A + f(r + 1, M) * K, *a2 = A + f(r + 2, M) * K, *a3 = A + f(r + 3, M) * K;
        float s00 = 0, s01 = 0, s10 = 0, s11 = 0, s20 = 0, s21 = 0, s30 = 0, s31 = 0;
        #pragma unroll 4
        for (int k = 0; k < K; k++) {
            float x = B[k * N + c], y = B[k * N + d];
            s00 += a0[k] * x; s01 += a0[k] * y;
            s10 += a1[k] * x; s11 += a1[k] * y;
            s20 += a2[k] * x; s21 += a2[k] * y;
            s30 += a3[k] * x; s31 += a3[k] * y;
        }
        out[r * N + c] = s00;
        if (r + 1 < M) out[(r + 1) * N + c] = s10;
        if (r + 2 < M) out[(r + 2) * N + c] = s20;
        if (r + 3 < M) out[(r + 3) * N + c] = s30;
        if (c + 32 < N) {
            out[r * N + c + 32] = s01;
            if (r + 1 < M) out[(r + 1) * N + c + 32] = s11;
            if (r + 2 < M) out[(r + 2) * N + c + 32] = s21;
            if (r + 3 < M) out[(r + 3) * N + c + 32] = s31;
        }
    }
    __threadfence();
}
