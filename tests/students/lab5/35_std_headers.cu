// <limits>, <utility>, <type_traits>, <array>, <algorithm>, <cmath>, <cfloat>; structured bindings; if constexpr
#include "warpwise.h"
#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

constexpr int warps = 4;
constexpr float lowest = -std::numeric_limits<float>::infinity();
static_assert(lowest < -FLT_MAX, "no infinity");

LAUNCH(row_sums, .block = {warps * 32}, .tile = {warps});
LAUNCH(softmax, .block = {warps * 32}, .tile = {warps});

struct Place {
    int lane, warp, row;
};

__device__ Place place()
{
    const int warp = threadIdx.x / 32;
    return {static_cast<int>(threadIdx.x % 32), warp, static_cast<int>(blockIdx.x) * warps + warp};
}

enum class Op { sum, max };

template <Op op, typename T, typename = std::enable_if_t<std::is_floating_point<T>::value>>
__device__ T all_lanes(T v)
{
    for (int d = 16; d > 0; d /= 2) {
        const T other = __shfl_xor_sync(0xffffffff, v, d);
        if constexpr (op == Op::sum)
            v += other;
        else
            v = v < other ? other : v;
    }
    return v;
}

template <std::size_t... I> __device__ float add_all(const float *a, std::index_sequence<I...>) { return (a[I] + ...); }

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ std::array<std::array<float, 32>, warps> unused_type_check;
    (void)sizeof(unused_type_check);
    __shared__ float exchange[warps][32];
    const auto [lane, warp, row] = place();
    if (row >= rows) return;
    float sum = 0;
    for (int c = lane; c < cols; c += 32) sum += in[static_cast<std::size_t>(row) * cols + c];
    exchange[warp][lane] = sum;
    __syncwarp();
    if (lane == 0) sums[row] = add_all(exchange[warp], std::make_index_sequence<32>{});
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    const auto [lane, warp, row] = place();
    if (row >= rows) return;
    const std::size_t base = static_cast<std::size_t>(row) * cols;
    float m = lowest, s = 0;
    for (int c = lane; c < cols; c += 32) m = std::fmax(m, in[base + c]);
    m = all_lanes<Op::max>(m);
    for (int c = lane; c < cols; c += 32) s += std::exp(in[base + c] - m);
    s = all_lanes<Op::sum>(s);
    for (int c = lane; c < cols; c += 32) out[base + c] = std::exp(in[base + c] - m) / s;
    (void)warp;
}
