// goto, switch with fallthrough (Duff), comma operators: an old C programmer
#include "warpwise.h"
#define T 256
#define TILE (T*8)
LAUNCH(block_sums, .block = {T}, .tile = {TILE});
LAUNCH(scan_sums, .block = {T});
LAUNCH(scan_blocks, .block = {T}, .tile = {TILE});

/* sum of eight words, of which `left` exist */
__device__ unsigned eight(const unsigned *p, int left)
{
    unsigned s = 0;
    switch (left < 0 ? 0 : left > 8 ? 8 : left) {
    case 8: s += p[7]; /* fall through */
    case 7: s += p[6];
    case 6: s += p[5];
    case 5: s += p[4];
    case 4: s += p[3];
    case 3: s += p[2];
    case 2: s += p[1];
    case 1: s += p[0];
    case 0: break;
    }
    return s;
}

__device__ unsigned scan(unsigned *x, unsigned v)
{
    int t = threadIdx.x, d = 1;
    unsigned u;
    x[t] = v;
again:
    __syncthreads();
    u = t >= d ? x[t - d] : 0;
    __syncthreads();
    x[t] = v += u;
    if ((d <<= 1) < T) goto again;
    __syncthreads();
    return v;
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned x[T];
    int i = blockIdx.x * TILE + threadIdx.x * 8;
    unsigned v = scan(x, eight(in + i, n - i));
    if (threadIdx.x != T - 1) return;
    sums[blockIdx.x] = v;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned x[T];
    unsigned carry = 0, v, e;
    int base = 0, i, k;
next:
    if (base >= m) goto done;
    i = base + threadIdx.x * 8;
    e = eight(sums + i, m - i);
    v = carry + scan(x, e) - e;
    for (k = 0; k < 8 && i + k < m; k++) e = sums[i + k], sums[i + k] = v, v += e;
    carry += x[T - 1];
    __syncthreads();
    base += TILE;
    goto next;
done:;
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned x[T];
    int i = blockIdx.x * TILE + threadIdx.x * 8, k;
    unsigned e = eight(in + i, n - i), v = scan(x, e) - e + sums[blockIdx.x];
    for (k = 0; k < 8; k++) {
        if (i + k >= n) return;
        out[i + k] = v += in[i + k];
    }
}
