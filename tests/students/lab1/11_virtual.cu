// an abstract matrix with virtual element access, object on the stack
// not passed: technique; too slow
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 32});

struct Matrix {
    __device__ virtual float at(int r, int c) const = 0;
    __device__ virtual ~Matrix() {}
};
struct RowMajor final : Matrix {
    const float *p;
    int rows, ld;
    __device__ RowMajor(const float *p, int rows, int ld) : p(p), rows(rows), ld(ld) {}
    __device__ float at(int r, int c) const override { return r < rows ? p[r * ld + c] : 0.0f; }
};

__device__ void product(const Matrix &a, const Matrix &b, int r, int c, int K, float (&s)[4])
{
    for (int k = 0; k < K; k++) {
        float x = b.at(k, c);
        for (int i = 0; i < 4; i++) s[i] += a.at(r + i, k) * x;
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y * 4;
    if (c >= N) return;
    RowMajor a(A, M, K), b(B, K, N);
    float s[4] = {};
    product(a, b, r, c, K, s);
    for (int i = 0; i < 4; i++)
        if (r + i < M) C[(r + i) * N + c] = s[i];
}
