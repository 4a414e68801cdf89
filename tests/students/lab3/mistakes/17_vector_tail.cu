// refused: out of bounds at line 19; wrong output
// a uint4 is loaded if its first word exists
#include "warpwise.h"

#define WARPS 8
#define THREADS 256
#define VEC 4                   /* uint4 a thread */
#define TILE (THREADS * VEC * 4)

LAUNCH(block_sums, .block = {THREADS}, .tile = {TILE});
LAUNCH(scan_sums, .block = {1024});
LAUNCH(scan_blocks, .block = {THREADS}, .tile = {TILE});

__device__ __forceinline__ unsigned hsum(uint4 q) { return q.x + q.y + q.z + q.w; }

// four words from element i on; zeros behind the end
__device__ __forceinline__ uint4 load4(const unsigned *in, int i, int n)
{
    if (i < n) return *reinterpret_cast<const uint4 *>(in + i);
    uint4 q = make_uint4(0, 0, 0, 0);
    if (i < n) q.x = in[i];
    if (i + 1 < n) q.y = in[i + 1];
    if (i + 2 < n) q.z = in[i + 2];
    return q;
}

__device__ __forceinline__ void store4(unsigned *out, int i, int n, uint4 q)
{
    if (i + 3 < n) {
        *reinterpret_cast<uint4 *>(out + i) = q;
        return;
    }
    if (i < n) out[i] = q.x;
    if (i + 1 < n) out[i + 1] = q.y;
    if (i + 2 < n) out[i + 2] = q.z;
}

__device__ __forceinline__ unsigned warp_inclusive(unsigned v)
{
    for (int d = 1; d < 32; d *= 2) {
        unsigned u = __shfl_up_sync(~0u, v, d);
        if ((threadIdx.x & 31) >= d) v += u;
    }
    return v;
}

extern "C" __global__ void __launch_bounds__(THREADS) block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned part[WARPS];
    unsigned s = 0;
#pragma unroll
    for (int k = 0; k < VEC; k++) s += hsum(load4(in, blockIdx.x * TILE + (k * THREADS + threadIdx.x) * 4, n));
    s = warp_inclusive(s);
    if (threadIdx.x % 32 == 31) part[threadIdx.x / 32] = s;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned all = 0;
        for (int w = 0; w < WARPS; w++) all += part[w];
        sums[blockIdx.x] = all;
    }
}

extern "C" __global__ void __launch_bounds__(1024) scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned part[32];
    int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    unsigned carry = 0;
    for (int base = 0; base < m; base += 4096) {
        int i = base + threadIdx.x * 4;
        uint4 q = load4(sums, i, m);
        unsigned own = hsum(q), incl = warp_inclusive(own);
        if (lane == 31) part[w] = incl;
        __syncthreads();
        if (w == 0) part[lane] = warp_inclusive(part[lane]);
        __syncthreads();
        unsigned before = carry + incl - own + (w ? part[w - 1] : 0);
        uint4 r;
        r.x = before;
        r.y = r.x + q.x;
        r.z = r.y + q.y;
        r.w = r.z + q.z;
        store4(sums, i, m, r);
        carry += part[31];
        __syncthreads();
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) scan_blocks(const unsigned *in, const unsigned *sums,
                                                                  unsigned *out, int n)
{
    __shared__ unsigned part[WARPS];
    // each warp owns VEC * 128 consecutive elements, and scans them 128 at a time
    int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    int first = blockIdx.x * TILE + w * VEC * 128 + lane * 4;
    uint4 q[VEC];
    unsigned carry = 0;
#pragma unroll
    for (int k = 0; k < VEC; k++) {
        q[k] = load4(in, first + k * 128, n);
        q[k].y += q[k].x;
        q[k].z += q[k].y;
        q[k].w += q[k].z;
        unsigned incl = warp_inclusive(q[k].w);
        unsigned before = carry + incl - q[k].w;
        carry += __shfl_sync(~0u, incl, 31);
        q[k].x += before;
        q[k].y += before;
        q[k].z += before;
        q[k].w += before;
    }
    if (lane == 31) part[w] = carry;
    __syncthreads();
    unsigned before = sums[blockIdx.x];
    for (int k = 0; k < w; k++) before += part[k];
#pragma unroll
    for (int k = 0; k < VEC; k++) {
        q[k].x += before;
        q[k].y += before;
        q[k].z += before;
        q[k].w += before;
        store4(out, first + k * 128, n, q[k]);
    }
}
