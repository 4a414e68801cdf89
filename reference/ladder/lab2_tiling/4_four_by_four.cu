// Rung 4, full marks: a block computes 64 x 64 elements, a thread 4 x 4 of them. Tiles are 64 wide and only 16 deep, so
// shared memory stays small while each float loaded from global memory serves 64 sums. A's tile is stored turned, k
// first, so that a thread's four rows lie side by side.
//
// Flaws: a thread's columns lie 16 apart, so B's four values are four loads; 4 x 4 sums still make the shared memory
// as busy as the arithmetic; and in each phase the block loads, waits, multiplies, waits. The reference keeps 8 x 8
// sums, loads by fours, and fetches the next phase's tiles while it multiplies this one's.
#include "warpwise.h"

enum { TILE = 64, DEPTH = 16, SUMS = 4 };

LAUNCH(matmul, .block = {16, 16}, .tile = {TILE, TILE});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[DEPTH][TILE + 4], Bs[DEPTH][TILE]; // 4 more: fewer bank conflicts where A is stored turned
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
    int r0 = blockIdx.y * TILE, c0 = blockIdx.x * TILE;
    float sum[SUMS][SUMS] = {};
    for (int m = 0; m < K; m += DEPTH) {
#pragma unroll
        for (int i = 0; i < TILE * DEPTH; i += 256) {
            int e = t + i, ar = e / DEPTH, ak = e % DEPTH, bk = e / TILE, bc = e % TILE;
            As[ak][ar] = r0 + ar < M && m + ak < K ? A[(r0 + ar) * K + m + ak] : 0.0f;
            Bs[bk][bc] = m + bk < K && c0 + bc < N ? B[(m + bk) * N + c0 + bc] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            float a[SUMS], b[SUMS];
#pragma unroll
            for (int i = 0; i < SUMS; i++) {
                a[i] = As[k][ty * SUMS + i];
                b[i] = Bs[k][tx + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < SUMS; i++)
#pragma unroll
                for (int j = 0; j < SUMS; j++) sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < SUMS; i++)
#pragma unroll
        for (int j = 0; j < SUMS; j++) {
            int r = r0 + ty * SUMS + i, c = c0 + tx + 16 * j;
            if (r < M && c < N) C[r * N + c] = sum[i][j];
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
