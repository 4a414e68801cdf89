// .grid of 264 blocks in x only, switch on the kind of piece (inside, right, lower, corner), function templates
// not passed: too slow
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .grid = {264});

template <bool RIGHT, bool LOWER>
__device__ void piece(float (*a)[33], float (*b)[32], const float *A, const float *B, float *C, int M, int N, int K, int r0, int c0)
{
    const int x = threadIdx.x, y = threadIdx.y, c = c0 + x;
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int m = 0; m < K; m += 32) {
        const bool full = m + 32 <= K;
        for (int i = y; i < 32; i += 8) {
            a[i][x] = (!LOWER || r0 + i < M) && (full || m + x < K) ? A[(r0 + i) * K + m + x] : 0.0f;
            b[i][x] = (full || m + i < K) && (!RIGHT || c < N) ? B[(m + i) * N + c] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 32; k++) {
            const float v = b[k][x];
            s0 += a[y][k] * v;
            s1 += a[y + 8][k] * v;
            s2 += a[y + 16][k] * v;
            s3 += a[y + 24][k] * v;
        }
        __syncthreads();
    }
    if (RIGHT && c >= N) return;
    if (!LOWER || r0 + y < M) C[(r0 + y) * N + c] = s0;
    if (!LOWER || r0 + y + 8 < M) C[(r0 + y + 8) * N + c] = s1;
    if (!LOWER || r0 + y + 16 < M) C[(r0 + y + 16) * N + c] = s2;
    if (!LOWER || r0 + y + 24 < M) C[(r0 + y + 24) * N + c] = s3;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[32][33], b[32][32];
    const int nx = (N + 31) / 32, ny = (M + 31) / 32;
    for (int p = blockIdx.x; p < nx * ny; p += gridDim.x) {
        const int c0 = p % nx * 32, r0 = p / nx * 32;
        switch ((c0 + 32 > N) + 2 * (r0 + 32 > M)) {
        case 0: piece<false, false>(a, b, A, B, C, M, N, K, r0, c0); break;
        case 1: piece<true, false>(a, b, A, B, C, M, N, K, r0, c0); break;
        case 2: piece<false, true>(a, b, A, B, C, M, N, K, r0, c0); break;
        default: piece<true, true>(a, b, A, B, C, M, N, K, r0, c0);
        }
    }
}

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float tile[];
    const int T = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
    float *As = tile, *Bs = tile + T * T;
    const int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float sum = 0.0f;
    for (int phase = 0; phase < (K + T - 1) / T; phase++) {
        const int ka = phase * T + tx, kb = phase * T + ty;
        As[ty * T + tx] = (r < M && ka < K) ? A[r * K + ka] : 0.0f;
        Bs[ty * T + tx] = (kb < K && c < N) ? B[kb * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += As[ty * T + k] * Bs[k * T + tx];
        __syncthreads();
    }
    if (r < M && c < N)
        C[r * N + c] = sum;
}
