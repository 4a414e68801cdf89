// a small matrix class that allocates with new[] in the kernel; the sums go to its heap memory at the end only
// not passed: technique; too slow
#include "warpwise.h"
LAUNCH(matmul, .block = {32, 8}, .tile = {32, 32});

class Column {
    float *v;
    int n;
public:
    __device__ explicit Column(int n) : v(new float[n]), n(n) {}
    __device__ ~Column() { delete[] v; }
    Column(const Column &) = delete;
    __device__ float &operator[](int i) { return v[i]; }
    __device__ int size() const { return n; }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y * 4;
    if (c >= N || r >= M) return;
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    #pragma unroll 4
    for (int k = 0; k < K; k++) {
        float b = B[k * N + c];
        s0 += A[r * K + k] * b;
        s1 += A[min(r + 1, M - 1) * K + k] * b;
        s2 += A[min(r + 2, M - 1) * K + k] * b;
        s3 += A[min(r + 3, M - 1) * K + k] * b;
    }
    Column result(4);
    result[0] = s0;
    result[1] = s1;
    result[2] = s2;
    result[3] = s3;
    for (int i = 0; i < result.size() && r + i < M; i++) C[(r + i) * N + c] = result[i];
}
