// Lab 3, reference: an inclusive prefix sum that is bound by memory, with one __syncthreads() a block.
//
// Each element is read twice and written once; no scheme of three kernels does with less. Everything else is hidden
// behind that traffic:
// - 16 elements a thread, in four 16-byte loads that do not depend on each other: enough bytes in flight.
// - A round is one load of the whole block, 1024 consecutive elements, so that neighbouring lanes read neighbouring
//   16 bytes. (16 consecutive elements a thread would need fewer steps, but scatter each load over 2 KB.)
// - Four additions in registers, then five shuffles within the warp, which need no barrier: a warp passes values in
//   registers. The four rounds are independent, so their shuffles overlap.
// - 4 rounds x 8 warps leave 32 totals, one for each lane of a warp: every warp scans all of them by itself. The block
//   meets once, where the totals change hands.
#include "warpwise.h"

#define THREADS 256
#define WARPS (THREADS / 32)
#define ROUNDS 4
#define TILE (THREADS * 4 * ROUNDS)
#define SCAN_THREADS 1024

LAUNCH(block_sums, .block = {THREADS}, .tile = {TILE});
LAUNCH(scan_sums, .block = {SCAN_THREADS});
LAUNCH(scan_blocks, .block = {THREADS}, .tile = {TILE});

// Elements i … i + 3, zero behind the end. `i` is a multiple of four and arrays start at multiples of 256 bytes, so
// the 16-byte access is aligned.
static __device__ uint4 load4(const unsigned *in, int i, int n)
{
    if (i < n - 3) return *reinterpret_cast<const uint4 *>(in + i);
    uint4 v = {0, 0, 0, 0};
    if (i < n) v.x = in[i];
    if (i + 1 < n) v.y = in[i + 1];
    if (i + 2 < n) v.z = in[i + 2];
    return v;
}

static __device__ void store4(unsigned *out, int i, int n, const uint4 &v)
{
    if (i < n - 3) {
        *reinterpret_cast<uint4 *>(out + i) = v;
        return;
    }
    if (i < n) out[i] = v.x;
    if (i + 1 < n) out[i + 1] = v.y;
    if (i + 2 < n) out[i + 2] = v.z;
}

// The sum of this lane's value and those of all lanes below it.
static __device__ unsigned warp_scan(unsigned value)
{
    unsigned lane = threadIdx.x % 32;
    for (int distance = 1; distance < 32; distance *= 2) {
        unsigned below = __shfl_up_sync(0xffffffffu, value, distance);
        if (lane >= distance) value += below;
    }
    return value;
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned total[WARPS];
    int first = blockIdx.x * TILE + threadIdx.x * 4;
    unsigned sum = 0;
#pragma unroll
    for (int round = 0; round < ROUNDS; ++round) {
        uint4 v = load4(in, first + round * THREADS * 4, n);
        sum += v.x + v.y + v.z + v.w;
    }
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0) total[threadIdx.x / 32] = sum;
    __syncthreads(); // all totals stand before thread 0 reads them
    if (threadIdx.x == 0) {
        sum = 0;
        for (int w = 0; w < WARPS; ++w) sum += total[w]; // eight values: not worth a tree
        sums[blockIdx.x] = sum;
    }
}

// Turns the sums into the sums of all blocks before: sums[b] becomes what stands before block b.
// Each thread takes one run of consecutive sums, so that any m needs a single scan across the block.
extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned total[32];
    int run = (m + SCAN_THREADS - 1) / SCAN_THREADS, first = threadIdx.x * run, end = min(first + run, m);
    unsigned sum = 0;
    for (int i = first; i < end; ++i) sum += sums[i];
    unsigned up_to_me = warp_scan(sum);
    if (threadIdx.x % 32 == 31) total[threadIdx.x / 32] = up_to_me;
    __syncthreads();
    // 32 warps, 32 totals: each warp scans them for itself rather than wait for one that does it for all.
    unsigned warps = warp_scan(total[threadIdx.x % 32]);
    unsigned before = up_to_me - sum;
    if (threadIdx.x >= 32) before += __shfl_sync(0xffffffffu, warps, threadIdx.x / 32 - 1);
    for (int i = first; i < end; ++i) {
        sum = sums[i];
        sums[i] = before;
        before += sum;
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned total[ROUNDS * WARPS]; // by round, then by warp: the order of the elements
    // From the last tile to the first: block_sums went upwards, so the last tiles are the ones still in the L2.
    int block = gridDim.x - 1 - blockIdx.x, first = block * TILE + threadIdx.x * 4;
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint4 v[ROUNDS];
    unsigned before[ROUNDS];
#pragma unroll
    for (int round = 0; round < ROUNDS; ++round) v[round] = load4(in, first + round * THREADS * 4, n);
#pragma unroll
    for (int round = 0; round < ROUNDS; ++round) {
        v[round].y += v[round].x;
        v[round].z += v[round].y;
        v[round].w += v[round].z;
        unsigned up_to_me = warp_scan(v[round].w);
        if (lane == 31) total[round * WARPS + warp] = up_to_me;
        before[round] = up_to_me - v[round].w;
    }
    __syncthreads(); // the only one: the 32 totals stand
    unsigned mine = total[lane];
    unsigned totals_before = warp_scan(mine) - mine + sums[block];
#pragma unroll
    for (int round = 0; round < ROUNDS; ++round) {
        unsigned base = before[round] + __shfl_sync(0xffffffffu, totals_before, round * WARPS + warp);
        v[round].x += base;
        v[round].y += base;
        v[round].z += base;
        v[round].w += base;
        store4(out, first + round * THREADS * 4, n, v[round]);
    }
}
