// the tile lives on the device heap: thread 0 calls new[], hands the pointer on through shared memory, deletes it
#include "warpwise.h"

#define T 256

LAUNCH(block_sums, .block = {T}, .tile = {8 * T});
LAUNCH(scan_sums, .block = {T});
LAUNCH(scan_blocks, .block = {T}, .tile = {8 * T});

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned tile[T];
    unsigned s = 0;
    for (int k = 0; k < 8; k++) {
        int i = blockIdx.x * 8 * T + k * T + threadIdx.x;
        s += i < n ? in[i] : 0;
    }
    tile[threadIdx.x] = s;
    __syncthreads();
    for (int d = T / 2; d; d /= 2) {
        if (threadIdx.x < d) tile[threadIdx.x] += tile[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = tile[0];
}

// one array of T per block on the heap is only sensible here: there is one block
extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned *heap;
    if (threadIdx.x == 0) heap = new unsigned[2 * T];
    __syncthreads();
    unsigned *from = heap, *to = heap + T, carry = 0;
    const int t = threadIdx.x;
    for (int base = 0; base < m; base += T) {
        unsigned own = base + t < m ? sums[base + t] : 0, v = own;
        from[t] = v;
        __syncthreads();
        for (int d = 1; d < T; d *= 2) {
            if (t >= d) v += from[t - d];
            to[t] = v;
            unsigned *h = from;
            from = to;
            to = h;
            __syncthreads();
        }
        if (base + t < m) sums[base + t] = carry + v - own;
        carry += from[T - 1];
        __syncthreads();
    }
    __syncthreads();
    if (threadIdx.x == 0) delete[] heap;
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned a[T];
    const int t = threadIdx.x, first = blockIdx.x * 8 * T + 8 * t;
    unsigned v[8], s = 0;
    for (int k = 0; k < 8; k++) v[k] = s += first + k < n ? in[first + k] : 0;
    a[t] = s;
    __syncthreads();
    for (int d = 1; d < T; d *= 2) {
        unsigned below = t >= d ? a[t - d] : 0;
        __syncthreads();
        a[t] += below;
        __syncthreads();
    }
    unsigned before = a[t] - s + sums[blockIdx.x];
    for (int k = 0; k < 8 && first + k < n; k++) out[first + k] = before + v[k];
}
