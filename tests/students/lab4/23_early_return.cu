// bins of two warps; blocks without elements return early (the whole block does), goto at the end
#include "warpwise.h"

#define N_BINS 256

LAUNCH(histogram, .block = {64}, .tile = {8192});

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned h[N_BINS];
    int begin = blockIdx.x * 8192, end = begin + 8192 < n ? begin + 8192 : n, i;
    if (begin >= end) return;       // depends on the block alone

    h[threadIdx.x] = h[threadIdx.x + 64] = h[threadIdx.x + 128] = h[threadIdx.x + 192] = 0;
    __syncthreads();

    i = begin + threadIdx.x;
loop:
    if (i >= end) goto merge;
    atomicAdd(&h[in[i] & 255], 1u);
    i += 64;
    goto loop;

merge:
    __syncthreads();
    i = threadIdx.x;
    do {
        if (h[i] == 0) continue;
        atomicAdd(&bins[i], h[i]);
    } while ((i += 64) < N_BINS);
}
