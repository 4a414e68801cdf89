// lab1: technique
// 57: as spills_by_bounds.cu, but the limit is a number of registers, which clang's headers do not know.
#include "warpwise.h"

enum { WARP = 32, SUMS = 4 }; // SUMS rows and SUMS columns a thread, and SUMS steps of k at a time

LAUNCH(matmul, .block = {WARP, 8}, .tile = {WARP * SUMS, 8 * SUMS});

// Four neighbours of row p from column c on; `columns` is the row's length. If ALIGNED, columns and c are multiples
// of 4. Columns beyond the last are taken from it.
template <bool ALIGNED> static __device__ inline float4 load4(const float *p, int c, int columns)
{
    if (ALIGNED) return *(const float4 *)(p + (c < columns ? c : columns - 4));
    int last = columns - 1;
    return make_float4(p[c < last ? c : last], p[c + 1 < last ? c + 1 : last], p[c + 2 < last ? c + 2 : last],
                       p[c + 3 < last ? c + 3 : last]);
}

// One row's four sums: plus a times a row of B.
static __device__ inline void add(float sum[SUMS], float a, float4 b)
{
    sum[0] += a * b.x;
    sum[1] += a * b.y;
    sum[2] += a * b.z;
    sum[3] += a * b.w;
}

template <bool ALIGNED>
static __device__ inline void product(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                                      int M, int N, int K)
{
    int r0 = (blockIdx.y * blockDim.y + threadIdx.y) * SUMS;
    int c0 = (blockIdx.x * blockDim.x + threadIdx.x) * SUMS;

    const float *row[SUMS]; // where this thread's rows of A start
#pragma unroll
    for (int i = 0; i < SUMS; i++) row[i] = A + (size_t)(r0 + i < M ? r0 + i : M - 1) * K;

    float sum[SUMS][SUMS] = {};
    int k = 0;
    for (; k + SUMS <= K; k += SUMS) {
        float4 a[SUMS], b[SUMS];
#pragma unroll
        for (int i = 0; i < SUMS; i++) a[i] = load4<ALIGNED>(row[i], k, K);
#pragma unroll
        for (int s = 0; s < SUMS; s++) b[s] = load4<ALIGNED>(B + (size_t)(k + s) * N, c0, N);
#pragma unroll
        for (int i = 0; i < SUMS; i++) {
            add(sum[i], a[i].x, b[0]);
            add(sum[i], a[i].y, b[1]);
            add(sum[i], a[i].z, b[2]);
            add(sum[i], a[i].w, b[3]);
        }
    }
    for (; k < K; k++) { // the last K % 4 steps
        float4 b = load4<ALIGNED>(B + (size_t)k * N, c0, N);
#pragma unroll
        for (int i = 0; i < SUMS; i++) add(sum[i], row[i][k], b);
    }

#pragma unroll
    for (int i = 0; i < SUMS; i++) {
        if (r0 + i >= M) break;
        float *to = C + (size_t)(r0 + i) * N + c0;
        if (ALIGNED) {
            if (c0 < N) *(float4 *)to = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
        } else {
#pragma unroll
            for (int j = 0; j < SUMS; j++)
                if (c0 + j < N) to[j] = sum[i][j];
        }
    }
}

extern "C" __global__ void __maxnreg__(32)
    matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K)
{
    if (K % 4 == 0 && N % 4 == 0)
        product<true>(A, B, C, M, N, K);
    else
        product<false>(A, B, C, M, N, K);
}
