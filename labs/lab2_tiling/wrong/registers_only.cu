// refused: technique
// Right and fast without a tile: lab 1's 4 x 4 sums a thread. The L1 does the sharing, and global memory gives four
// times the bytes that a tile of 16 needs.
#include "warpwise.h"

enum { WARP = 32, SUMS = 4 }; // SUMS rows and SUMS columns a thread, and SUMS steps of k at a time

LAUNCH(matmul, .block = {WARP, 8}, .tile = {WARP * SUMS, 8 * SUMS});

// Four neighbours of row p from column c on; `columns` is the row's length. If `aligned`, columns and c are multiples
// of 4. Columns beyond the last are taken from it.
static __device__ inline float4 load4(const float *p, int c, int columns, bool aligned)
{
    if (aligned) return *(const float4 *)(p + (c < columns ? c : columns - 4));
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

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                                  int M, int N, int K)
{
    int r0 = (blockIdx.y * blockDim.y + threadIdx.y) * SUMS;
    int c0 = (blockIdx.x * blockDim.x + threadIdx.x) * SUMS;
    bool a_aligned = K % 4 == 0, b_aligned = N % 4 == 0;

    const float *row[SUMS]; // where this thread's rows of A start
#pragma unroll
    for (int i = 0; i < SUMS; i++) row[i] = A + (size_t)(r0 + i < M ? r0 + i : M - 1) * K;

    float sum[SUMS][SUMS] = {};
    int k = 0;
    for (; k + SUMS <= K; k += SUMS) {
        float4 a[SUMS], b[SUMS];
#pragma unroll
        for (int i = 0; i < SUMS; i++) a[i] = load4(row[i], k, K, a_aligned);
#pragma unroll
        for (int s = 0; s < SUMS; s++) b[s] = load4(B + (size_t)(k + s) * N, c0, N, b_aligned);
#pragma unroll
        for (int i = 0; i < SUMS; i++) {
            add(sum[i], a[i].x, b[0]);
            add(sum[i], a[i].y, b[1]);
            add(sum[i], a[i].z, b[2]);
            add(sum[i], a[i].w, b[3]);
        }
    }
    for (; k < K; k++) { // the last K % 4 steps
        float4 b = load4(B + (size_t)k * N, c0, N, b_aligned);
#pragma unroll
        for (int i = 0; i < SUMS; i++) add(sum[i], row[i][k], b);
    }

#pragma unroll
    for (int i = 0; i < SUMS; i++) {
        if (r0 + i >= M) break;
        float *to = C + (size_t)(r0 + i) * N + c0;
        if (b_aligned && c0 < N) {
            *(float4 *)to = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
            continue;
        }
#pragma unroll
        for (int j = 0; j < SUMS; j++)
            if (c0 + j < N) to[j] = sum[i][j];
    }
}

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float tile[];
    int T = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
    int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float *As = tile, *Bs = tile + T * T, sum = 0.0f;
    for (int m = 0; m < K; m += T) {
        As[ty * T + tx] = r < M && m + tx < K ? A[r * K + m + tx] : 0.0f;
        Bs[ty * T + tx] = m + ty < K && c < N ? B[(m + ty) * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; k++) sum += As[ty * T + k] * Bs[k * T + tx];
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = sum;
}
