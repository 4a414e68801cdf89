// rows of a thread BY apart instead of neighbours, columns BX apart; std::min-like helper of my own, <type_traits>
#include <type_traits>
#include "warpwise.h"

namespace {
template <class T, class U>
__device__ constexpr std::common_type_t<T, U> smaller(T a, U b) { return a < b ? a : b; }
constexpr unsigned BX = 32, BY = 8, R = 4, S = 4;
}

LAUNCH(matmul, .block = {BX, BY}, .tile = {BX * S, BY * R});

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K)
{
    const unsigned c = blockIdx.x * BX * S + threadIdx.x, r = blockIdx.y * BY * R + threadIdx.y;
    const unsigned m = M, n = N, kk = K;
    float s[R][S];
    unsigned ra[R], cb[S];
#pragma unroll
    for (unsigned i = 0; i < R; ++i) {
        ra[i] = smaller(r + i * BY, m - 1) * kk;
#pragma unroll
        for (unsigned j = 0; j < S; ++j) s[i][j] = 0;
    }
#pragma unroll
    for (unsigned j = 0; j < S; ++j) cb[j] = smaller(c + j * BX, n - 1);
#pragma unroll 4
    for (unsigned k = 0; k < kk; ++k) {
        float b[S];
#pragma unroll
        for (unsigned j = 0; j < S; ++j) b[j] = B[k * n + cb[j]];
#pragma unroll
        for (unsigned i = 0; i < R; ++i) {
            const float a = A[ra[i] + k];
#pragma unroll
            for (unsigned j = 0; j < S; ++j) s[i][j] = fmaf(a, b[j], s[i][j]);
        }
    }
#pragma unroll
    for (unsigned i = 0; i < R; ++i)
#pragma unroll
        for (unsigned j = 0; j < S; ++j)
            if (r + i * BY < m && c + j * BX < n) C[(r + i * BY) * n + c + j * BX] = s[i][j];
}
