// persistent blocks (.per_sm), a loop over the pieces of C with the barrier outside of every branch
#include "warpwise.h"

#define P 64
#define D 16

LAUNCH(matmul, .block = {16, 16}, .per_sm = 4);

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[P][D + 1], b[D][P + 4];
    const int x = threadIdx.x, y = threadIdx.y;
    const int across = (N + P - 1) / P, down = (M + P - 1) / P;
    for (int piece = blockIdx.x; piece < across * down; piece += gridDim.x) {
        const int r0 = piece / across * P, c0 = piece % across * P;
        float s[4][4];
#pragma unroll
        for (int i = 0; i < 16; i++) s[i >> 2][i & 3] = 0.0f;
        for (int m = 0; m < K; m += D) {
#pragma unroll
            for (int i = 0; i < 4; i++) {
                int r = r0 + y + 16 * i, c = c0 + x + 16 * i;
                a[y + 16 * i][x] = r < M && m + x < K ? A[r * K + m + x] : 0.0f;
                b[y][x + 16 * i] = m + y < K && c < N ? B[(m + y) * N + c] : 0.0f;
            }
            __syncthreads();
#pragma unroll
            for (int k = 0; k < D; k++) {
                float u[4], v[4];
#pragma unroll
                for (int i = 0; i < 4; i++) u[i] = a[y + 16 * i][k], v[i] = b[k][x + 16 * i];
#pragma unroll
                for (int i = 0; i < 16; i++) s[i >> 2][i & 3] += u[i >> 2] * v[i & 3];
            }
            __syncthreads();
        }
#pragma unroll
        for (int i = 0; i < 16; i++) {
            int r = r0 + y + 16 * (i >> 2), c = c0 + x + 16 * (i & 3);
            if (r < M && c < N) C[r * N + c] = s[i >> 2][i & 3];
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
