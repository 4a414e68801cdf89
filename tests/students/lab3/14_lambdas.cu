// lambdas: local captures by reference, a generic lambda as operator, [] __device__ style helpers
#include "warpwise.h"

constexpr unsigned kThreads = 256;
constexpr unsigned kEach = 4;
constexpr unsigned kTile = kThreads * kEach;

LAUNCH(block_sums, .block = {kThreads}, .tile = {kTile});
LAUNCH(scan_sums, .block = {kThreads});
LAUNCH(scan_blocks, .block = {kThreads}, .tile = {kTile});

template <typename F> __device__ void doubling(unsigned limit, F step)
{
    for (unsigned d = 1; d < limit; d *= 2) step(d);
}

template <typename Load, typename Store> __device__ unsigned tile_scan(unsigned *tile, Load load, Store store)
{
    const unsigned t = threadIdx.x;
    auto plus = [](auto a, auto b) { return a + b; };
    unsigned v[kEach], sum = 0;
    for (unsigned k = 0; k < kEach; ++k) {
        v[k] = load(t * kEach + k);
        sum = plus(sum, v[k]);
    }
    tile[t] = sum;
    __syncthreads();
    doubling(kThreads, [&](unsigned d) {
        const unsigned below = t >= d ? tile[t - d] : 0;
        __syncthreads();
        tile[t] = plus(tile[t], below);
        __syncthreads();
    });
    unsigned run = tile[t] - sum;
    for (unsigned k = 0; k < kEach; ++k) {
        store(t * kEach + k, run, v[k]);
        run = plus(run, v[k]);
    }
    const unsigned total = tile[kThreads - 1];
    __syncthreads();
    return total;
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned tile[kThreads];
    const int first = blockIdx.x * kTile;
    auto guarded = [=] __device__ (unsigned k) { return first + (int)k < n ? in[first + k] : 0u; };
    unsigned s = 0;
    for (unsigned k = threadIdx.x; k < kTile; k += kThreads) s += guarded(k);
    tile[threadIdx.x] = s;
    auto fold = [&](unsigned half) {
        __syncthreads();
        if (threadIdx.x < half) tile[threadIdx.x] += tile[threadIdx.x + half];
    };
    for (unsigned half = kThreads / 2; half; half /= 2) fold(half);
    if (threadIdx.x == 0) sums[blockIdx.x] = tile[0];
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned tile[kThreads];
    unsigned carry = 0;
    for (int base = 0; base < m; base += kTile)
        carry += tile_scan(
            tile, [&](unsigned k) { return base + (int)k < m ? sums[base + k] : 0u; },
            [&](unsigned k, unsigned before, unsigned) {
                if (base + (int)k < m) sums[base + k] = carry + before;
            });
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned tile[kThreads];
    const int first = blockIdx.x * kTile;
    const unsigned start = sums[blockIdx.x];
    tile_scan(
        tile, [=](unsigned k) { return first + (int)k < n ? in[first + k] : 0u; },
        [=](unsigned k, unsigned before, unsigned own) {
            if (first + (int)k < n) out[first + k] = start + before + own;
        });
}
