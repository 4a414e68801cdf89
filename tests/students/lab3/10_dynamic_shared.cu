// dynamic shared memory, two tiles and a total carved out of one array by a struct of pointers
#include "warpwise.h"

#define NT 512
#define BYTES ((2 * NT + 1) * sizeof(unsigned))

LAUNCH(block_sums, .block = {NT}, .tile = {NT}, .shared = BYTES);
LAUNCH(scan_sums, .block = {NT}, .shared = BYTES);
LAUNCH(scan_blocks, .block = {NT}, .tile = {NT}, .shared = BYTES);

extern __shared__ unsigned pool[];

struct Shared {
    unsigned *a, *b, *total;
};

__device__ Shared carve(void)
{
    Shared s;
    unsigned *p = pool;
    s.a = p;      p += NT;
    s.b = p;      p += NT;
    s.total = p;
    return s;
}

__device__ unsigned scan(Shared s, unsigned x)
{
    const unsigned t = threadIdx.x;
    s.a[t] = x;
    __syncthreads();
    for (unsigned d = 1; d < NT; d <<= 1) {
        s.b[t] = x = t < d ? s.a[t] : s.a[t] + s.a[t - d];
        unsigned *h = s.a; s.a = s.b; s.b = h;
        __syncthreads();
    }
    if (t == NT - 1) *s.total = x;
    __syncthreads();
    return x;
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    Shared s = carve();
    int i = blockIdx.x * NT + threadIdx.x;
    scan(s, i < n ? in[i] : 0);
    if (threadIdx.x == 0) sums[blockIdx.x] = *s.total;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    Shared s = carve();
    unsigned carry = 0;
    for (int i = threadIdx.x; i - (int)threadIdx.x < m; i += NT) {
        unsigned x = i < m ? sums[i] : 0;
        unsigned y = scan(s, x);
        if (i < m) sums[i] = carry + (y - x);
        carry += *s.total;
        // the next total is written behind at least one barrier
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    Shared s = carve();
    int i = blockIdx.x * NT + threadIdx.x;
    unsigned y = scan(s, i < n ? in[i] : 0);
    if (i < n) out[i] = y + sums[blockIdx.x];
}
