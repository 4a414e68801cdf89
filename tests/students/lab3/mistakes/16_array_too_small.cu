// refused: out of bounds at line 29; out of bounds at line 31
// the array has a place for 31 warp totals only
#include "warpwise.h"

#define LANES 32
#define THREADS 1024
#define K 4
#define TILE 4096

LAUNCH(block_sums, .block = {THREADS}, .tile = {TILE});
LAUNCH(scan_sums, .block = {THREADS});
LAUNCH(scan_blocks, .block = {THREADS}, .tile = {TILE});

static __device__ unsigned wscan(unsigned x)
{
    const unsigned lane = threadIdx.x % LANES;
    for (unsigned d = 1; d < LANES; d += d) {
        const unsigned y = __shfl_up_sync(0xffffffff, x, d);
        x += lane >= d ? y : 0;
    }
    return x;
}

static __device__ __noinline__ unsigned bscan(unsigned x)
{
    __shared__ unsigned totals[LANES - 1];
    const unsigned lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    x = wscan(x);
    if (lane == LANES - 1) totals[warp] = x;
    __syncthreads();
    if (warp == 0) totals[lane] = wscan(totals[lane]);
    __syncthreads();
    if (warp > 0) x += totals[warp - 1];
    __syncthreads();        // the array may be filled again
    return x;
}

extern "C" __global__ void block_sums(const unsigned *__restrict__ in, unsigned *__restrict__ sums, int n)
{
    unsigned x = 0;
    const unsigned first = blockIdx.x * TILE + threadIdx.x;
    for (unsigned k = 0; k < K; k++)
        if (first + k * THREADS < (unsigned)n) x += __ldg(&in[first + k * THREADS]);
    x = bscan(x);
    if (threadIdx.x == THREADS - 1) sums[blockIdx.x] = x;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned carry;
    if (threadIdx.x == 0) carry = 0;
    for (int base = 0; base < m; base += THREADS) {
        const int i = base + threadIdx.x;
        const unsigned x = i < m ? sums[i] : 0, y = bscan(x);
        const unsigned c = carry;
        if (i < m) sums[i] = c + y - x;
        __syncthreads();
        if (threadIdx.x == THREADS - 1) carry = c + y;
    }
}

extern "C" __global__ void scan_blocks(const unsigned *__restrict__ in, const unsigned *__restrict__ sums,
                                       unsigned *__restrict__ out, int n)
{
    __shared__ __align__(16) unsigned tile[TILE];
    const unsigned base = blockIdx.x * TILE;
    for (unsigned k = threadIdx.x; k < TILE; k += THREADS) tile[k] = base + k < (unsigned)n ? __ldg(in + base + k) : 0;
    __syncthreads();
    uint4 q = reinterpret_cast<const uint4 *>(tile)[threadIdx.x];
    q.y += q.x, q.z += q.y, q.w += q.z;
    const unsigned before = bscan(q.w) - q.w + __ldg(sums + blockIdx.x);
    q.x += before, q.y += before, q.z += before, q.w += before;
    reinterpret_cast<uint4 *>(tile)[threadIdx.x] = q;
    __syncthreads();
    for (unsigned k = threadIdx.x; k < TILE; k += THREADS)
        if (base + k < (unsigned)n) out[base + k] = tile[k];
}
