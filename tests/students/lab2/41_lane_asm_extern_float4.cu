// extern __shared__ declared as float4, %laneid and %warpid-free indexing, matmul and matmul_dynamic share the name
#include <cfloat>
#include "warpwise.h"

extern __shared__ float4 pool[];

LAUNCH(matmul, .block = {256}, .tile = {128, 32}, .shared = (32 * 16 + 16 * 128) * 4);

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    float *as = (float *)pool;             // 32 x 16
    float4 *bs = pool + 32 * 16 / 4;       // 16 x 32 float4
    float *bf = (float *)bs;
    int lane, w = threadIdx.x / 32;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    const int r0 = blockIdx.y * 32, c0 = blockIdx.x * 128;
    float4 s[4];
    for (int i = 0; i < 4; i++) s[i] = make_float4(0, 0, 0, 0);
    for (int m = 0; m < K; m += 16) {
        for (int i = threadIdx.x; i < 512; i += 256) {
            int r = i / 16, k = i % 16;
            as[i] = r0 + r < M && m + k < K ? A[(r0 + r) * K + m + k] : 0;
        }
        for (int i = threadIdx.x; i < 2048; i += 256) {
            int k = i / 128, c = i % 128;
            bf[i] = m + k < K && c0 + c < N ? B[(m + k) * N + c0 + c] : 0;
        }
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < 16; k++) {
            float4 b = bs[k * 32 + lane];
            #pragma unroll
            for (int i = 0; i < 4; i++) {
                float a = as[(w * 4 + i) * 16 + k];
                s[i].x += a * b.x; s[i].y += a * b.y; s[i].z += a * b.z; s[i].w += a * b.w;
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++) {
        int r = r0 + w * 4 + i, c = c0 + lane * 4;
        if (r >= M) break;
        if (c < N) C[r * N + c] = s[i].x;
        if (c + 1 < N) C[r * N + c + 1] = s[i].y;
        if (c + 2 < N) C[r * N + c + 2] = s[i].z;
        if (c + 3 < N) C[r * N + c + 3] = s[i].w;
    }
}

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    float *a = reinterpret_cast<float *>(pool), *b = a + blockDim.x * blockDim.y;
    int w = blockDim.x, x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * w + y, c = blockIdx.x * w + x;
    float s = 0;
    for (int m = 0; m < K; m += w) {
        a[y * w + x] = r < M && m + x < K ? A[r * K + m + x] : 0;
        b[y * w + x] = m + y < K && c < N ? B[(m + y) * N + c] : 0;
        __syncthreads();
        for (int k = 0; k < w; k++) s += a[y * w + k] * b[k * w + x];
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = s;
}
