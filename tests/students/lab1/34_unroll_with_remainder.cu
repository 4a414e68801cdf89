// hand-unrolled by four over k with a remainder loop, pointers moved on, size_t everywhere
#include <cstddef>
#include "warpwise.h"

LAUNCH(matmul, .block = {128, 2}, .tile = {128, 16});

extern "C" __global__ void matmul(const float *const A, const float *const B, float *const C, const int M, const int N, const int K)
{
    const std::size_t col = std::size_t(blockIdx.x) * 128u + threadIdx.x;
    const std::size_t row = (std::size_t(blockIdx.y) * 2u + threadIdx.y) * 8u;
    if (col >= std::size_t(N) || row >= std::size_t(M)) return;
    const float *pb = B + col;
    const float *pa[8];
    #pragma unroll
    for (int i = 0; i < 8; ++i)
        pa[i] = A + (row + i < std::size_t(M) ? row + i : row) * std::size_t(K);
    float s[8]{};
    int left = K;
    for (; left >= 4; left -= 4) {
        const float b0 = pb[0], b1 = pb[std::size_t(N)], b2 = pb[2 * std::size_t(N)], b3 = pb[3 * std::size_t(N)];
        pb += 4 * std::size_t(N);
        #pragma unroll
        for (int i = 0; i < 8; ++i) {
            const float *p = pa[i];
            s[i] += p[0] * b0;
            s[i] += p[1] * b1;
            s[i] += p[2] * b2;
            s[i] += p[3] * b3;
            pa[i] = p + 4;
        }
    }
    for (; left > 0; --left) {
        const float b0 = *pb;
        pb += N;
        #pragma unroll
        for (int i = 0; i < 8; ++i) s[i] += *pa[i]++ * b0;
    }
    #pragma unroll
    for (int i = 0; i < 8; ++i)
        if (row + i < std::size_t(M)) C[(row + i) * N + col] = s[i];
}
