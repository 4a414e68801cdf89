// C++17: index_sequence, fold expressions, if constexpr, structured bindings, <utility>
#include <utility>
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {64, 32});

struct Place { int row, col; };

__device__ inline Place place() { return {int(blockIdx.y * 32 + threadIdx.y * 4), int(blockIdx.x * 64 + threadIdx.x)}; }

template <int... i>
__device__ __forceinline__ void work(std::integer_sequence<int, i...>, const float *A, const float *B, float *C, int M, int N, int K)
{
    const auto [r, c] = place();
    if (r >= M || c >= N) return;
    const int d = c + 32 < N ? c + 32 : c;
    float s[sizeof...(i)], t[sizeof...(i)];
    ((s[i] = 0.0f, t[i] = 0.0f), ...);
    const float *const row[] = {A + size_t(min(r + i, M - 1)) * K...};
#pragma unroll 4
    for (int k = 0; k < K; ++k) {
        const float x = B[k * N + c], y = B[k * N + d];
        const float a[] = {row[i][k]...};
        ((s[i] += a[i] * x), ...);
        ((t[i] += a[i] * y), ...);
    }
    ((r + i < M ? void(C[(r + i) * N + c] = s[i]) : void()), ...);
    if (c + 32 < N) ((r + i < M ? void(C[(r + i) * N + c + 32] = t[i]) : void()), ...);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    work(std::make_integer_sequence<int, 4>(), A, B, C, M, N, K);
}
