// software pipeline: the next step's operands are fetched into a second set of registers
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 4}, .tile = {128, 32});

constexpr int R = 8, S = 4;

struct Operands {
    float a[R], b[S];
};

__device__ __forceinline__ void fetch(Operands &o, const float *A, const float *B, const int (&ra)[R], const int (&cb)[S], int k, int N)
{
#pragma unroll
    for (int i = 0; i < R; i++) o.a[i] = A[ra[i] + k];
#pragma unroll
    for (int j = 0; j < S; j++) o.b[j] = B[k * N + cb[j]];
}

__device__ __forceinline__ void multiply(float (&s)[R][S], const Operands &o)
{
#pragma unroll
    for (int i = 0; i < R; i++)
#pragma unroll
        for (int j = 0; j < S; j++) s[i][j] += o.a[i] * o.b[j];
}

extern "C" __global__ void __launch_bounds__(128) matmul(const float *__restrict__ A, const float *__restrict__ B,
                                                         float *__restrict__ C, int M, int N, int K)
{
    int c = blockIdx.x * 128 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y * R;
    if (c >= N || r >= M) return;
    int ra[R], cb[S];
#pragma unroll
    for (int i = 0; i < R; i++) ra[i] = min(r + i, M - 1) * K;
#pragma unroll
    for (int j = 0; j < S; j++) cb[j] = min(c + 32 * j, N - 1);
    float s[R][S] = {};
    if (K > 0) {
        Operands x, y;
        fetch(x, A, B, ra, cb, 0, N);
        int k = 1;
        for (; k + 1 < K; k += 2) {
            fetch(y, A, B, ra, cb, k, N);
            multiply(s, x);
            fetch(x, A, B, ra, cb, k + 1, N);
            multiply(s, y);
        }
        if (k < K) {
            fetch(y, A, B, ra, cb, k, N);
            multiply(s, x);
            multiply(s, y);
        } else
            multiply(s, x);
    }
#pragma unroll
    for (int i = 0; i < R; i++)
#pragma unroll
        for (int j = 0; j < S; j++)
            if (r + i < M && c + 32 * j < N) C[(r + i) * N + c + 32 * j] = s[i][j];
}
