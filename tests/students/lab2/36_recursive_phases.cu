// the phases by real recursion (not a template), barriers inside, all threads recurse equally deep
#include "warpwise.h"

struct Job {
    const float *A, *B;
    int M, N, K, w;
    float *as, *bs;
};

__device__ float phases(const Job &j, int m, float sum)
{
    if (m >= j.K) return sum;
    const int x = threadIdx.x, y = threadIdx.y, w = j.w, r = blockIdx.y * w + y, c = blockIdx.x * w + x;
    j.as[y * w + x] = r < j.M && m + x < j.K ? j.A[r * j.K + m + x] : 0.0f;
    j.bs[y * w + x] = m + y < j.K && c < j.N ? j.B[(m + y) * j.N + c] : 0.0f;
    __syncthreads();
    for (int k = 0; k < w; k++) sum += j.as[y * w + k] * j.bs[k * w + x];
    __syncthreads();
    return phases(j, m + w, sum);
}

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float tile[];
    const int w = blockDim.x;
    const Job job = {A, B, M, N, K, w, tile, tile + w * w};
    const float sum = phases(job, 0, 0.0f);
    const int r = blockIdx.y * w + threadIdx.y, c = blockIdx.x * w + threadIdx.x;
    if (r < M && c < N) C[r * N + c] = sum;
}

LAUNCH(matmul, .block = {32, 4}, .tile = {32, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[32][33], b[32][33];
    const int x = threadIdx.x, y = threadIdx.y, r0 = blockIdx.y * 32, c = blockIdx.x * 32 + x;
    float s[8] = {};
    for (int m = 0; m < K; m += 32) {
        for (int i = y; i < 32; i += 4) {
            a[i][x] = r0 + i < M && m + x < K ? A[(r0 + i) * K + m + x] : 0.0f;
            b[i][x] = m + i < K && c < N ? B[(m + i) * N + c] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 32; k++)
#pragma unroll
            for (int i = 0; i < 8; i++) s[i] += a[y + 4 * i][k] * b[k][x];
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
        if (r0 + y + 4 * i < M && c < N) C[(r0 + y + 4 * i) * N + c] = s[i];
}
