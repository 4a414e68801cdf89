// macros for loops, guards and both kernels' common head
#include "warpwise.h"
#define FOR(i, n) _Pragma("unroll") for (int i = 0; i < (n); ++i)
#define KERNEL(name) extern "C" __global__ void name(const float *A, const float *B, float *C, int M, int N, int K)
#define GET_A(r, k) ((r) < M && (k) < K ? A[(r) * K + (k)] : 0.f)
#define GET_B(k, c) ((k) < K && (c) < N ? B[(k) * N + (c)] : 0.f)
#define PUT_C(r, c, v) do { if ((r) < M && (c) < N) C[(r) * N + (c)] = (v); } while (0)
#define BARRIER __syncthreads();
#define D 16
#define W 64
LAUNCH(matmul, .block = {16, 16}, .tile = {W, W});
KERNEL(matmul) {
    __shared__ float a[W][D + 1], b[D][W];
    int x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * W, c = blockIdx.x * W;
    float s[4][4];
    FOR(i, 4) FOR(j, 4) s[i][j] = 0;
    for (int m = 0; m < K; m += D) {
        FOR(i, 4) a[y + 16 * i][x] = GET_A(r + y + 16 * i, m + x);
        FOR(j, 4) b[y][x + 16 * j] = GET_B(m + y, c + x + 16 * j);
        BARRIER
        FOR(k, D) FOR(i, 4) FOR(j, 4) s[i][j] += a[y + 16 * i][k] * b[k][x + 16 * j];
        BARRIER
    }
    FOR(i, 4) FOR(j, 4) PUT_C(r + y + 16 * i, c + x + 16 * j, s[i][j]);
}
LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));
KERNEL(matmul_dynamic) {
    extern __shared__ float mem[];
#define a(i, j) mem[(i) * w + (j)]
#define b(i, j) mem[(w + (i)) * w + (j)]
    int w = blockDim.x, x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * w + y, c = blockIdx.x * w + x;
    float s = 0;
    for (int m = 0; m < K; m += w) {
        a(y, x) = GET_A(r, m + x);
        b(y, x) = GET_B(m + y, c);
        BARRIER
        for (int k = 0; k < w; ++k) s += a(y, k) * b(k, x);
        BARRIER
    }
    PUT_C(r, c, s);
}
