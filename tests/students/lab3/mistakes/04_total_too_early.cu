// refused: race at line 62; race at line 69; wrong output
// scan_sums: no barrier between the store of `total` by the last thread and its use
#include "warpwise.h"

#define THREADS 256
#define EACH 8
#define TILE (THREADS * EACH)

LAUNCH(block_sums, .block = {THREADS}, .tile = {TILE});
LAUNCH(scan_sums, .block = {THREADS});
LAUNCH(scan_blocks, .block = {THREADS}, .tile = {TILE});

// inclusive scan of one value per thread
__device__ unsigned scan(unsigned value, unsigned *a, unsigned *b)
{
    const int t = threadIdx.x;
    unsigned *from = a, *to = b;
    from[t] = value;
    __syncthreads();
    for (int d = 1; d < THREADS; d *= 2) {
        to[t] = t >= d ? from[t] + from[t - d] : from[t];
        unsigned *swap = from;
        from = to;
        to = swap;
        __syncthreads();
    }
    return from[t];
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned part[THREADS];
    int t = threadIdx.x;
    unsigned s = 0;
    // strided, so that neighbours read neighbours
    for (int k = 0; k < EACH; k++) {
        int i = blockIdx.x * TILE + k * THREADS + t;
        if (i < n) s += in[i];
    }
    part[t] = s;
    __syncthreads();
    for (int d = THREADS / 2; d; d /= 2) {
        if (t < d) part[t] += part[t + d];
        __syncthreads();
    }
    if (!t) sums[blockIdx.x] = part[0];
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned a[THREADS], b[THREADS], total;
    int t = threadIdx.x;
    unsigned carry = 0;
    for (int base = 0; base < m; base += TILE) {
        unsigned v[EACH], s = 0;
        for (int k = 0; k < EACH; k++) {
            int i = base + t * EACH + k;
            v[k] = i < m ? sums[i] : 0;
            s += v[k];
        }
        unsigned incl = scan(s, a, b);
        if (t == THREADS - 1) total = incl;
        unsigned run = carry + incl - s;
        for (int k = 0; k < EACH; k++) {
            int i = base + t * EACH + k;
            if (i < m) sums[i] = run;
            run += v[k];
        }
        carry += total;
        __syncthreads();
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned tile[TILE], a[THREADS], b[THREADS];
    int t = threadIdx.x, base = blockIdx.x * TILE;
    for (int k = t; k < TILE; k += THREADS) tile[k] = base + k < n ? in[base + k] : 0;
    __syncthreads();
    unsigned s = 0, v[EACH];
    for (int k = 0; k < EACH; k++) v[k] = s += tile[t * EACH + k];
    unsigned before = scan(s, a, b) - s + sums[blockIdx.x];
    for (int k = 0; k < EACH; k++) tile[t * EACH + k] = v[k] + before;
    __syncthreads();
    for (int k = t; k < TILE; k += THREADS)
        if (base + k < n) out[base + k] = tile[k];
}
