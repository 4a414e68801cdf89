// big tiles walked in rounds by the same block: 16 rounds of 256 with a carry, __reduce_add_sync for the sums
#include "warpwise.h"
#include <limits>
#include <type_traits>

using u32 = unsigned int;
static_assert(std::is_unsigned<u32>::value && std::numeric_limits<u32>::digits == 32, "modulo 2^32");

constexpr u32 ALL = std::numeric_limits<u32>::max();
constexpr int BLOCK = 256, ROUNDS = 16, TILE = BLOCK * ROUNDS, WARPS = BLOCK / 32;

LAUNCH(block_sums, .block = {BLOCK}, .tile = {TILE});
LAUNCH(scan_sums, .block = {BLOCK});
LAUNCH(scan_blocks, .block = {BLOCK}, .tile = {TILE});

extern "C" __global__ void block_sums(const u32 *in, u32 *sums, int n)
{
    __shared__ u32 part[WARPS];
    const int stop = min(n, (int)(blockIdx.x + 1) * TILE);
    u32 s = 0;
    for (int i = blockIdx.x * TILE + threadIdx.x; i < stop; i += BLOCK) s += in[i];
    s = __reduce_add_sync(ALL, s);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
    __syncthreads();
    if (threadIdx.x < 32) {
        s = threadIdx.x < WARPS ? part[threadIdx.x] : 0;
        s = __reduce_add_sync(ALL, s);
        if (threadIdx.x == 0) sums[blockIdx.x] = s;
    }
}

// scans [begin, end) of `from` to `to`, BLOCK at a time; own elements are added for inclusive scans
template <bool inclusive> __device__ void walk(const u32 *from, u32 *to, int begin, int end, u32 carry)
{
    __shared__ u32 part[2][WARPS];
    const int lane = threadIdx.x % 32, w = threadIdx.x / 32;
    int buf = 0;
    for (int b = begin; b < end; b += BLOCK, buf ^= 1) {
        const int i = b + threadIdx.x;
        const u32 own = i < end ? from[i] : 0;
        u32 v = own;
        for (int d = 1; d < 32; d *= 2) {
            const u32 u = __shfl_up_sync(ALL, v, d);
            if (lane >= d) v += u;
        }
        if (lane == 31) part[buf][w] = v;
        __syncthreads();        // one a round: the next one fills the other half
        u32 before = carry;
        for (int k = 0; k < WARPS; k++) {
            if (k < w) before += part[buf][k];
            carry += part[buf][k];
        }
        if (i < end) to[i] = before + (inclusive ? v : v - own);
    }
}

extern "C" __global__ void scan_sums(u32 *sums, int m) { walk<false>(sums, sums, 0, m, 0); }

extern "C" __global__ void scan_blocks(const u32 *in, const u32 *sums, u32 *out, int n)
{
    walk<true>(in, out, blockIdx.x * TILE, min(n, (int)(blockIdx.x + 1) * TILE), sums[blockIdx.x]);
}
