// pairwise summation by device recursion over halves of k (most accurate, slow)
// not passed: technique; too slow
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 8});

__device__ float dot(const float *a, const float *b, int n, int stride)
{
    if (n <= 16) {
        float s = 0;
        for (int i = 0; i < n; i++) s += a[i] * b[i * stride];
        return s;
    }
    int h = n / 2;
    return dot(a, b, h, stride) + dot(a + h, b + h * stride, n - h, stride);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    if (c < N && r < M) C[r * N + c] = dot(A + r * K, B + c, K, N);
}
