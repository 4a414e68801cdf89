// refused: technique
// Right and fast, but no thread ever waits for another warp: a warp is a block, and values pass by shuffle alone. The
// lesson is the barrier of a block.
#include "warpwise.h"

#define EACH 8
#define TILE (32 * 4 * EACH)

LAUNCH(block_sums, .block = {32}, .tile = {TILE});
LAUNCH(scan_sums, .block = {32});
LAUNCH(scan_blocks, .block = {32}, .tile = {TILE});

static __device__ unsigned warp_scan(unsigned value)
{
    for (int distance = 1; distance < 32; distance *= 2) {
        unsigned below = __shfl_up_sync(0xffffffffu, value, distance);
        if (threadIdx.x >= distance) value += below;
    }
    return value;
}

static __device__ uint4 load4(const unsigned *in, int i, int n)
{
    if (i + 3 < n) return *reinterpret_cast<const uint4 *>(in + i);
    uint4 v = {i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0, i + 2 < n ? in[i + 2] : 0, 0};
    return v;
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    int first = blockIdx.x * TILE + threadIdx.x * 4;
    unsigned sum = 0;
#pragma unroll
    for (int k = 0; k < EACH; ++k) {
        uint4 v = load4(in, first + k * 128, n);
        sum += v.x + v.y + v.z + v.w;
    }
    sum = warp_scan(sum);
    if (threadIdx.x == 31) sums[blockIdx.x] = sum;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    unsigned before = 0;
    for (int first = 0; first < m; first += 32) {
        int i = first + threadIdx.x;
        unsigned sum = i < m ? sums[i] : 0, up_to_me = warp_scan(sum);
        if (i < m) sums[i] = before + up_to_me - sum;
        before += __shfl_sync(0xffffffffu, up_to_me, 31);
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    int first = blockIdx.x * TILE + threadIdx.x * 4;
    unsigned before = sums[blockIdx.x];
    uint4 v[EACH];
#pragma unroll
    for (int k = 0; k < EACH; ++k) v[k] = load4(in, first + k * 128, n);
#pragma unroll
    for (int k = 0; k < EACH; ++k) {
        unsigned all = v[k].x + v[k].y + v[k].z + v[k].w, up_to_me = warp_scan(all);
        unsigned sum = before + up_to_me - all;
        int i = first + k * 128;
        uint4 s = {sum + v[k].x, sum + v[k].x + v[k].y, sum + v[k].x + v[k].y + v[k].z, sum + all};
        if (i + 3 < n) {
            *reinterpret_cast<uint4 *>(out + i) = s;
        } else {
            if (i < n) out[i] = s.x;
            if (i + 1 < n) out[i + 1] = s.y;
            if (i + 2 < n) out[i + 2] = s.z;
        }
        before += __shfl_sync(0xffffffffu, up_to_me, 31);
    }
}
