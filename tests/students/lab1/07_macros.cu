// macros that hide all loops, #define constants, sums named by token pasting
#include "warpwise.h"

#define W 32
#define H 8
#define DO4(X) X(0) X(1) X(2) X(3)
#define ROW(i) (r + (i) < M ? r + (i) : M - 1)

LAUNCH(matmul, .block = {W, H}, .tile = {W * 2, H * 4});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * (2 * W) + threadIdx.x;
    int d = c + W;
    int r = (blockIdx.y * H + threadIdx.y) * 4;
    if (r >= M || c >= N) return;
    int e = d < N ? d : c;
#define DECL(i) float s##i = 0, t##i = 0; const float *a##i = A + ROW(i) * K;
    DO4(DECL)
#pragma unroll 4
    for (int k = 0; k < K; k++) {
        float x = B[k * N + c], y = B[k * N + e];
#define MAC(i) { float a = a##i[k]; s##i += a * x; t##i += a * y; }
        DO4(MAC)
    }
#define STORE(i) if (r + i < M) { C[(r + i) * N + c] = s##i; if (d < N) C[(r + i) * N + d] = t##i; }
    DO4(STORE)
#undef DECL
#undef MAC
#undef STORE
}
