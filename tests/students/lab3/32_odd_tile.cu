// odd sizes: 160 threads, 7 elements each (no bank conflicts with an odd stride), non-power-of-two tree
#include "warpwise.h"

enum : int { P = 160, Q = 7, R = P * Q };

LAUNCH(block_sums, .block = {P}, .tile = {R});
LAUNCH(scan_sums, .block = {P});
LAUNCH(scan_blocks, .block = {P}, .tile = {R});

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned s[P];
    const int t = threadIdx.x;
    unsigned x = 0;
    for (int k = t; k < R; k += P) {
        const int i = blockIdx.x * R + k;
        if (i < n) x += in[i];
    }
    s[t] = x;
    // fold the upper part onto the lower: 160 -> 80 -> 40 -> 20 -> 10 -> 5 -> 3 -> 2 -> 1
    for (int w = P; w > 1;) {
        const int h = (w + 1) / 2;
        __syncthreads();
        if (t + h < w) s[t] += s[t + h];
        w = h;
    }
    if (t == 0) sums[blockIdx.x] = s[0];
}

__device__ unsigned scan(unsigned *s, int t)
{
    for (int d = 1; d < P; d *= 2) {
        __syncthreads();
        const unsigned below = t < d ? 0 : s[t - d];
        __syncthreads();
        s[t] += below;
    }
    __syncthreads();
    return s[t];
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned row[R], s[P];
    const int t = threadIdx.x;
    unsigned carry = 0;
    for (int base = 0; base < m; base += R) {
        for (int k = t; k < R; k += P) row[k] = base + k < m ? sums[base + k] : 0;
        __syncthreads();
        unsigned own = 0;
        for (int k = 0; k < Q; k++) own += row[t * Q + k];
        s[t] = own;
        unsigned run = carry + scan(s, t) - own;
        for (int k = 0; k < Q; k++) {
            const unsigned v = row[t * Q + k];
            row[t * Q + k] = run;
            run += v;
        }
        carry += s[P - 1];
        __syncthreads();
        for (int k = t; k < R && base + k < m; k += P) sums[base + k] = row[k];
        // row[k] is filled again by the thread that has just read it
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned row[R], s[P];
    const int t = threadIdx.x, base = blockIdx.x * R;
    for (int k = t; k < R; k += P) row[k] = base + k < n ? in[base + k] : 0;
    __syncthreads();
    unsigned own = 0;
    for (int k = 0; k < Q; k++) row[t * Q + k] = own += row[t * Q + k];
    s[t] = own;
    const unsigned before = scan(s, t) - own + sums[blockIdx.x];
    for (int k = 0; k < Q; k++) row[t * Q + k] += before;
    __syncthreads();
    for (int k = t; k < R; k += P)
        if (base + k < n) out[base + k] = row[k];
}
