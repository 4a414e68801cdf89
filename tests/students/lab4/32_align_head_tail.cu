// uint4 with a head until the address is a multiple of 16, a body and a tail; bit tricks instead of divisions
#include <stdint.h>
#include "warpwise.h"

LAUNCH(histogram, .block = {1024, 1, 1}, .per_sm = 2);

__device__ static inline void hit(unsigned *h, unsigned v) { atomicAdd(h + (v & 0377), 1); }

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned h[0400];
    const unsigned t = threadIdx.x, g = blockIdx.x << 10 | t, G = gridDim.x << 10;
    if (!(t & ~0377u)) h[t] = 0;
    __syncthreads();
    unsigned head = (unsigned)(-(intptr_t)in >> 2 & 3);
    if (head > (unsigned)n) head = n;
    const unsigned quads = (unsigned)n - head >> 2, tail = (unsigned)n - head & 3;
    if (g < head) hit(h, in[g]);
    const uint4 *q = (const uint4 *)(in + head);
    for (unsigned i = g; i < quads; i += G) {
        const uint4 v = q[i];
        hit(h, v.x), hit(h, v.y), hit(h, v.z), hit(h, v.w);
    }
    if (g < tail) hit(h, in[head + (quads << 2) + g]);
    __syncthreads();
    if (!(t & ~0377u) && h[t]) atomicAdd(bins + t, h[t]);
}
