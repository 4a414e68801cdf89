// refused: never written at line 34
// the threads behind the end return before they store their zeros, which the tree then reads
#include "warpwise.h"

enum { THREADS = 256 };

LAUNCH(block_sums, .block = {THREADS});
LAUNCH(scan_sums, .block = {THREADS});
LAUNCH(scan_blocks, .block = {THREADS});

// Inclusive prefix sum over the block, in place, two barriers a step.
static __device__ unsigned scanned(unsigned *s, unsigned value)
{
    int t = threadIdx.x;
    s[t] = value;
    __syncthreads();
    for (int d = 1; d < THREADS; d *= 2) {
        unsigned left = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += left;
        __syncthreads();
    }
    return s[t];
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned s[THREADS];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    if (i >= n) return;
    s[t] = in[i];
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = s[0];
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned s[THREADS];
    unsigned before = 0;
    for (int first = 0; first < m; first += THREADS) {
        int i = first + threadIdx.x;
        unsigned value = i < m ? sums[i] : 0, sum = scanned(s, value);
        if (i < m) sums[i] = before + sum - value;
        before += s[THREADS - 1];
        __syncthreads();
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned s[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    unsigned sum = scanned(s, i < n ? in[i] : 0);
    if (i < n) out[i] = sums[blockIdx.x] + sum;
}
