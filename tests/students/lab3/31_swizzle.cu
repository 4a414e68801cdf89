// tile in shared memory with an XOR swizzle instead of padding, eight elements a thread
#include "warpwise.h"

constexpr int THREADS = 256;
constexpr int EACH = 8;
constexpr int TILE = THREADS * EACH;

LAUNCH(block_sums, .block = {THREADS}, .tile = {TILE});
LAUNCH(scan_sums, .block = {THREADS});
LAUNCH(scan_blocks, .block = {THREADS}, .tile = {TILE});

// element e lies in row e / 8 ... flip the low bits with bits from above, a bijection on [0, TILE)
__device__ constexpr int at(int e) { return e ^ ((e >> 5) & 7); }

__device__ unsigned block_scan(unsigned v, unsigned *two)
{
    unsigned *from = two, *to = two + THREADS;
    const int t = threadIdx.x;
    from[t] = v;
    __syncthreads();
#pragma unroll
    for (int d = 1; d < THREADS; d *= 2) {
        v += t >= d ? from[t - d] : 0;
        to[t] = v;
        __syncthreads();
        unsigned *s = from; from = to; to = s;
    }
    return v;
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned two[2 * THREADS];
    const int base = blockIdx.x * TILE;
    unsigned s = 0;
    if (base + TILE <= n) {
#pragma unroll
        for (int k = 0; k < EACH; k++) s += in[base + k * THREADS + threadIdx.x];
    } else {
        for (int e = base + threadIdx.x; e < n; e += THREADS) s += in[e];
    }
    s = block_scan(s, two);
    if (threadIdx.x == THREADS - 1) sums[blockIdx.x] = s;
}

__device__ unsigned tile_scan(unsigned *tile, unsigned *two, unsigned start, bool inclusive)
{
    unsigned v[EACH], s = 0;
    const int t = threadIdx.x;
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        v[k] = tile[at(t * EACH + k)];
        s += v[k];
    }
    const unsigned incl = block_scan(s, two);
    unsigned run = start + incl - s;
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        tile[at(t * EACH + k)] = inclusive ? run + v[k] : run;
        run += v[k];
    }
    __syncthreads();
    return two[THREADS - 1]; // eight steps: the result lies in the first half again
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned tile[TILE], two[2 * THREADS];
    unsigned carry = 0;
    for (int base = 0; base < m; base += TILE) {
        for (int e = threadIdx.x; e < TILE; e += THREADS) tile[at(e)] = base + e < m ? sums[base + e] : 0;
        __syncthreads();
        carry += tile_scan(tile, two, carry, false);
        for (int e = threadIdx.x; e < TILE; e += THREADS)
            if (base + e < m) sums[base + e] = tile[at(e)];
        __syncthreads();
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned tile[TILE], two[2 * THREADS];
    const int base = blockIdx.x * TILE;
    for (int e = threadIdx.x; e < TILE; e += THREADS) tile[at(e)] = base + e < n ? in[base + e] : 0;
    __syncthreads();
    tile_scan(tile, two, sums[blockIdx.x], true);
    for (int e = threadIdx.x; e < TILE; e += THREADS)
        if (base + e < n) out[base + e] = tile[at(e)];
}
