// A's tile transposed with an XOR swizzle instead of padding, no bank conflicts
#include "warpwise.h"

constexpr unsigned BM = 64, BN = 64, BK = 32;

__device__ constexpr unsigned at(unsigned k, unsigned r) { return k * BM + (r ^ k); }

LAUNCH(matmul, .block = {32, 8}, .tile = {BN, BM});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[BK * BM], b[BK][BN];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;
    float s[8][2] = {};
    for (int m = 0; m < K; m += BK) {
#pragma unroll
        for (unsigned i = 0; i < BM; i += 8) {
            const int r = r0 + i + y, k = m + x;
            a[at(x, i + y)] = r < M && k < K ? A[r * K + k] : 0.0f;
        }
#pragma unroll
        for (unsigned i = 0; i < BK; i += 8) {
            const int k = m + i + y;
            b[i + y][x] = k < K && c0 + (int)x < N ? B[k * N + c0 + x] : 0.0f;
            b[i + y][x + 32] = k < K && c0 + (int)x + 32 < N ? B[k * N + c0 + x + 32] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (unsigned k = 0; k < BK; k++)
#pragma unroll
            for (unsigned i = 0; i < 8; i++) {
                const float v = a[at(k, y * 8 + i)];
                s[i][0] += v * b[k][x];
                s[i][1] += v * b[k][x + 32];
            }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
        const int r = r0 + (int)y * 8 + i, c = c0 + x;
        if (r < M && c < N) C[r * N + c] = s[i][0];
        if (r < M && c + 32 < N) C[r * N + c + 32] = s[i][1];
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
