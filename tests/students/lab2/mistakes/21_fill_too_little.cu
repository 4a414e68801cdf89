// refused: never written at line 33; never written at line 47; wrong output
// the loop that fills the tile of B stops after the first 256 elements
#include "warpwise.h"

static const int TS = 64, DEPTH = 16;

LAUNCH(matmul, .block = {16, 16}, .tile = {64, 64});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[DEPTH][TS + 1];
    __shared__ float Bs[DEPTH][TS];
    const int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
    const int r0 = blockIdx.y * TS, c0 = blockIdx.x * TS;
    float s[4][4] = {};

    for (int m = 0; m < K; m += DEPTH) {
        for (int i = t; i < TS * DEPTH; i += 256) {
            int r = i / DEPTH, k = i % DEPTH;
            As[k][r] = r0 + r < M && m + k < K ? A[(r0 + r) * K + m + k] : 0.0f;
        }
        for (int i = t; i < 256; i += 256) {
            int k = i / TS, c = i % TS;
            Bs[k][c] = m + k < K && c0 + c < N ? B[(m + k) * N + c0 + c] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            float a[4], b[4];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                a[i] = As[k][ty + 16 * i];
                b[i] = Bs[k][tx + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++) s[i][j] += a[i] * b[j]; 
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int r = r0 + ty + 16 * i, c = c0 + tx + 16 * j;
            if (r < M && c < N) C[r * N + c] = s[i][j];
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
