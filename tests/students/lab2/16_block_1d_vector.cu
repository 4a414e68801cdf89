// 1-D block of 256, uint-indexed, float4 global loads with scalar tails, transposed A
#include "warpwise.h"

LAUNCH(matmul, .block = {256}, .tile = {64, 64});

__device__ inline float4 get4(const float *p, int row, int rows, int col, int cols)
{
    float4 v = make_float4(0.f, 0.f, 0.f, 0.f);
    if (row < rows) {
        const float *q = p + (size_t)row * cols + col;
        if (cols % 4 == 0 && col < cols)
            v = *reinterpret_cast<const float4 *>(q);
        else {
            if (col < cols) v.x = q[0];
            if (col + 1 < cols) v.y = q[1];
            if (col + 2 < cols) v.z = q[2];
            if (col + 3 < cols) v.w = q[3];
        }
    }
    return v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[16][68];
    __shared__ float4 b[16][16];
    const unsigned t = threadIdx.x, tx = t & 15, ty = t >> 4;
    const int r0 = blockIdx.y * 64, c0 = blockIdx.x * 64;
    float4 s[4] = {};
    for (int m = 0; m < K; m += 16) {
        const unsigned ar = t >> 2, ak = (t & 3) * 4;
        const float4 v = get4(A, r0 + ar, M, m + ak, K);
        a[ak][ar] = v.x;
        a[ak + 1][ar] = v.y;
        a[ak + 2][ar] = v.z;
        a[ak + 3][ar] = v.w;
        b[ty][tx] = get4(B, m + ty, K, c0 + 4 * tx, N);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            const float4 y = b[k][tx];
            const float4 x = *reinterpret_cast<const float4 *>(&a[k][ty * 4]);
            const float xs[4] = {x.x, x.y, x.z, x.w};
#pragma unroll
            for (int i = 0; i < 4; i++) {
                s[i].x += xs[i] * y.x;
                s[i].y += xs[i] * y.y;
                s[i].z += xs[i] * y.z;
                s[i].w += xs[i] * y.w;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int r = r0 + ty * 4 + i, c = c0 + tx * 4;
        if (r >= M || c >= N) continue;
        float *q = C + (size_t)r * N + c;
        if (N % 4 == 0)
            *reinterpret_cast<float4 *>(q) = s[i];
        else {
            q[0] = s[i].x;
            if (c + 1 < N) q[1] = s[i].y;
            if (c + 2 < N) q[2] = s[i].z;
            if (c + 3 < N) q[3] = s[i].w;
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
