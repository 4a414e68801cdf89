// cuda::std::array for sums, cuda::std::min, cuda::std::size_t
#include <cuda/std/array>
#include <cuda/std/cstddef>
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {128, 32});

using row_t = cuda::std::array<float, 4>;
using piece_t = cuda::std::array<row_t, 4>;

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K)
{
    const int c = blockIdx.x * 128 + threadIdx.x;
    const int r = blockIdx.y * 32 + threadIdx.y * 4;
    if (c >= N || r >= M) return;
    piece_t s{};
    cuda::std::array<int, 4> rows, cols;
    #pragma unroll
    for (int i = 0; i < 4; ++i) { rows[i] = min(r + i, M - 1) * K; cols[i] = min(c + 32 * i, N - 1); }
    #pragma unroll 4
    for (int k = 0; k < K; ++k) {
        row_t a, b;
        #pragma unroll
        for (cuda::std::size_t i = 0; i < a.size(); ++i) a[i] = A[rows[i] + k];
        #pragma unroll
        for (cuda::std::size_t j = 0; j < b.size(); ++j) b[j] = B[k * N + cols[j]];
        #pragma unroll
        for (int i = 0; i < 4; ++i)
            #pragma unroll
            for (int j = 0; j < 4; ++j) s[i][j] += a[i] * b[j];
    }
    #pragma unroll
    for (int i = 0; i < 4; ++i)
        #pragma unroll
        for (int j = 0; j < 4; ++j)
            if (r + i < M && c + 32 * j < N) C[(r + i) * N + c + 32 * j] = s[i][j];
}
