// results stored through cuda::atomic_ref with relaxed order; libcu++ numeric_limits poison for debugging
#include <cuda/atomic>
#include <cuda/std/limits>
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 64});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 64 + threadIdx.y * 8;
    if (c >= N || r >= M) return;
    float s[8];
    for (float &x : s) x = cuda::std::numeric_limits<float>::quiet_NaN();
    for (float &x : s) x = 0.0f;
#pragma unroll 4
    for (int k = 0; k < K; k++) {
        float b = B[k * N + c];
#pragma unroll
        for (int i = 0; i < 8; i++) s[i] += A[min(r + i, M - 1) * K + k] * b;
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
        if (r + i < M) {
            cuda::atomic_ref<float, cuda::thread_scope_device> out(C[(r + i) * N + c]);
            out.store(s[i], cuda::std::memory_order_relaxed);
        }
}
