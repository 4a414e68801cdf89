// Reference of lab 1: 4 x 4 sums a thread, all of them in registers; nothing is shared but the L1.
//
// Choices:
// - 4 rows by 4 columns: a step in k loads 8 floats and makes 16 multiply-adds. More sums would save more loads, but
//   1024 x 1024 outputs are then too few threads to fill 132 multiprocessors.
// - a block is 32 x 8 threads and covers 128 columns by 32 rows. A warp is one row of threads: its load from A is one
//   address for all lanes, its load from B 128 contiguous bytes. Each costs a single wavefront.
// - a thread's columns lie 32 apart, not side by side: so each of its four loads and stores is coalesced, and no
//   alignment is asked of N.
// - four steps of k at once: A's four neighbours come as one 16-byte load where K keeps the rows aligned, and twenty
//   loads are on their way before the first multiply-add needs one. With so few warps, that is what hides the latency.
// - no guards in the loop: rows and columns beyond the matrix are clamped to the last one, computed for nothing and
//   not stored.
// - __restrict__ promises that C overlaps neither A nor B, so loads may be moved up and through the read-only path.
#include "warpwise.h"

enum { WARP = 32, ROWS = 4, COLUMNS = 4, STEPS = 4 };

LAUNCH(matmul, .block = {WARP, 8}, .tile = {WARP * COLUMNS, 8 * ROWS});

// Four neighbours; p is a multiple of 16 bytes if `aligned`.
static __device__ inline float4 load4(const float *p, bool aligned)
{
    return aligned ? *(const float4 *)p : make_float4(p[0], p[1], p[2], p[3]);
}

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                                  int M, int N, int K)
{
    int r0 = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS;
    int c0 = blockIdx.x * WARP * COLUMNS + threadIdx.x;
    bool aligned = K % 4 == 0;

    const float *a[ROWS]; // where this thread's rows of A start
    int c[COLUMNS];       // its columns
#pragma unroll
    for (int i = 0; i < ROWS; i++) a[i] = A + (size_t)(r0 + i < M ? r0 + i : M - 1) * K;
#pragma unroll
    for (int j = 0; j < COLUMNS; j++) c[j] = c0 + j * WARP < N ? c0 + j * WARP : N - 1;

    float sum[ROWS][COLUMNS] = {};
    int k = 0;
    for (; k + STEPS <= K; k += STEPS) {
        float4 left[ROWS];
        float right[STEPS][COLUMNS];
#pragma unroll
        for (int i = 0; i < ROWS; i++) left[i] = load4(a[i] + k, aligned);
#pragma unroll
        for (int s = 0; s < STEPS; s++)
#pragma unroll
            for (int j = 0; j < COLUMNS; j++) right[s][j] = B[(size_t)(k + s) * N + c[j]];
#pragma unroll
        for (int i = 0; i < ROWS; i++)
#pragma unroll
            for (int j = 0; j < COLUMNS; j++) {
                sum[i][j] += left[i].x * right[0][j];
                sum[i][j] += left[i].y * right[1][j];
                sum[i][j] += left[i].z * right[2][j];
                sum[i][j] += left[i].w * right[3][j];
            }
    }
    for (; k < K; k++) { // the last K % 4 steps
#pragma unroll
        for (int i = 0; i < ROWS; i++)
#pragma unroll
            for (int j = 0; j < COLUMNS; j++) sum[i][j] += a[i][k] * B[(size_t)k * N + c[j]];
    }

#pragma unroll
    for (int i = 0; i < ROWS; i++)
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            if (r0 + i < M && c0 + j * WARP < N) C[(size_t)(r0 + i) * N + c0 + j * WARP] = sum[i][j];
}
