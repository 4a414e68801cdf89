// everything in lambdas that capture by reference, 8 rows and one column
#include "warpwise.h"

LAUNCH(matmul, .block = {64, 4}, .tile = {64, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    constexpr int R = 8;
    const int c = blockIdx.x * 64 + threadIdx.x;
    const int r = blockIdx.y * 32 + threadIdx.y * R;
    if (c >= N || r >= M) return;

    float s[R];
    auto each = [&](auto body) {
#pragma unroll
        for (int i = 0; i < R; ++i) body(i);
    };
    auto a = [&](int i, int k) { return A[min(r + i, M - 1) * K + k]; };
    auto b = [&](int k) { return B[k * N + c]; };

    each([&](int i) { s[i] = 0.0f; });
#pragma unroll 4
    for (int k = 0; k < K; ++k) {
        const float x = b(k);
        each([&](int i) { s[i] += a(i, k) * x; });
    }
    each([&](int i) {
        if (r + i < M) C[(r + i) * N + c] = s[i];
    });
}
