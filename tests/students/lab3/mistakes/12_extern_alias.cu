// refused: race at line 23; race at line 24; wrong output
// two names of extern __shared__ arrays mean the same memory: the two tiles of the ping-pong are one
#include "warpwise.h"

#define NT 256
#define EACH 4
#define BYTES (2 * NT * sizeof(unsigned))

LAUNCH(block_sums, .block = {NT}, .tile = {NT * EACH}, .shared = BYTES);
LAUNCH(scan_sums, .block = {NT}, .shared = BYTES);
LAUNCH(scan_blocks, .block = {NT}, .tile = {NT * EACH}, .shared = BYTES);

extern __shared__ unsigned a[];
extern __shared__ unsigned b[];

__device__ unsigned scan(unsigned v)
{
    unsigned *from = a, *to = b;
    int t = threadIdx.x;
    from[t] = v;
    __syncthreads();
    for (int d = 1; d < NT; d *= 2) {
        if (t >= d) v += from[t - d];
        to[t] = v;
        unsigned *s = from; from = to; to = s;
        __syncthreads();
    }
    return v;
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    unsigned v = 0;
    for (int k = 0; k < EACH; k++) {
        int i = blockIdx.x * NT * EACH + k * NT + threadIdx.x;
        if (i < n) v += in[i];
    }
    v = scan(v);
    if (threadIdx.x == NT - 1) sums[blockIdx.x] = v;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned total;
    unsigned carry = 0;
    for (int base = 0; base < m; base += NT) {
        int i = base + threadIdx.x;
        unsigned own = i < m ? sums[i] : 0, v = scan(own);
        if (i < m) sums[i] = carry + v - own;
        if (threadIdx.x == NT - 1) total = v;
        __syncthreads();
        carry += total;
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    int i = (blockIdx.x * NT + threadIdx.x) * EACH;
    unsigned v[EACH], s = 0;
    for (int k = 0; k < EACH; k++) v[k] = s += i + k < n ? in[i + k] : 0;
    unsigned before = scan(s) - s + sums[blockIdx.x];
    for (int k = 0; k < EACH; k++)
        if (i + k < n) out[i + k] = before + v[k];
}
