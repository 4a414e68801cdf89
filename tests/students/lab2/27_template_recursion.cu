// template recursion for the inner product and if constexpr; structured bindings for the place in the block
#include "warpwise.h"

struct Pos { int x, y; };
__device__ inline Pos thread() { return {(int)threadIdx.x, (int)threadIdx.y}; }
__device__ inline Pos block(int w, int h) { return {(int)blockIdx.x * w, (int)blockIdx.y * h}; }

template <int k, int end>
__device__ __forceinline__ void steps(const float (&a)[32][32], const float (&b)[32][32], Pos t, float (&s)[4])
{
    if constexpr (k < end) {
        const float v = b[k][t.x];
        s[0] += a[t.y][k] * v;
        s[1] += a[t.y + 8][k] * v;
        s[2] += a[t.y + 16][k] * v;
        s[3] += a[t.y + 24][k] * v;
        steps<k + 1, end>(a, b, t, s);
    }
}

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[32][32], b[32][32];
    const Pos t = thread();
    const auto [c0, r0] = block(32, 32);
    const auto [tx, ty] = t;
    float s[4] = {0, 0, 0, 0};
    for (int m = 0; m < K; m += 32) {
        for (int i = ty; i < 32; i += 8) {
            a[i][tx] = r0 + i < M && m + tx < K ? A[(r0 + i) * K + m + tx] : 0;
            b[i][tx] = m + i < K && c0 + tx < N ? B[(m + i) * N + c0 + tx] : 0;
        }
        __syncthreads();
        steps<0, 32>(a, b, t, s);
        __syncthreads();
    }
    if (c0 + tx >= N) return;
    for (int i = 0; i < 4; i++)
        if (r0 + ty + 8 * i < M) C[(r0 + ty + 8 * i) * N + c0 + tx] = s[i];
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
