// C++17: structured bindings, std::pair-like aggregate, own swap with std::move, <utility>, constexpr log2
#include <algorithm>
#include <array>
#include <utility>
#include "warpwise.h"

namespace {

constexpr int threads{256};
constexpr int each{4};
constexpr int tile_size{threads * each};

constexpr int log2i(int x) { return x <= 1 ? 0 : 1 + log2i(x / 2); }
static_assert((1 << log2i(threads)) == threads);

template <typename T> __device__ void exchange_values(T &a, T &b)
{
    T c = static_cast<T &&>(a);
    a = static_cast<T &&>(b);
    b = static_cast<T &&>(c);
}

struct Scan {
    unsigned before, total;
};

struct Buffers {
    unsigned front[threads], back[threads];
};

[[nodiscard]] __device__ Scan exclusive_scan(Buffers &buffers, unsigned value)
{
    auto &[front, back] = buffers;
    unsigned *source = front, *target = back;
    const auto rank = static_cast<int>(threadIdx.x);
    auto sum = value;
    source[rank] = sum;
    __syncthreads();
    for (auto step = 0; step < log2i(threads); ++step) {
        if (const auto d = 1 << step; rank >= d) sum += source[rank - d];
        target[rank] = sum;
        exchange_values(source, target);
        __syncthreads();
    }
    const auto total = source[threads - 1];
    __syncthreads();
    return {sum - value, total};
}

} // namespace

LAUNCH(block_sums, .block = {threads}, .tile = {tile_size});
LAUNCH(scan_sums, .block = {threads});
LAUNCH(scan_blocks, .block = {threads}, .tile = {tile_size});

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ Buffers buffers;
    unsigned s{};
    for (int k{}; k < each; ++k)
        if (const int i = (blockIdx.x * each + k) * threads + threadIdx.x; i < n) s += in[i];
    const auto [before, total] = exclusive_scan(buffers, s);
    (void)before;
    if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ Buffers buffers;
    unsigned carry{};
    for (int base{}; base < m; base += threads) {
        const int i = base + threadIdx.x;
        const auto [before, total] = exclusive_scan(buffers, i < m ? sums[i] : 0u);
        if (i < m) sums[i] = carry + before;
        carry += total;
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ Buffers buffers;
    const int first = blockIdx.x * tile_size + threadIdx.x * each;
    unsigned v[each], s{};
    int j{};
    for (auto &x : v) {
        x = s += first + j < n ? in[first + j] : 0u;
        ++j;
    }
    const auto [before, total] = exclusive_scan(buffers, s);
    (void)total;
    const auto start = before + sums[blockIdx.x];
    for (int k{}; k < each; ++k)
        if (first + k < n) out[first + k] = start + v[k];
}
