// a three-dimensional block {4, 8, 8}, big fixed tiles instead of a grid stride, unsigned arithmetic throughout
#include "warpwise.h"

static const unsigned THREADS = 4 * 8 * 8, TILE = 64 * THREADS;

LAUNCH(histogram, .block = {4, 8, 8}, .tile = {64 * 4 * 8 * 8});

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[256];
    const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const unsigned begin = blockIdx.x * TILE, end = min(begin + TILE, (unsigned)n);
    count[t] = 0u;
    __syncthreads();
    for (unsigned i = begin + t; i < end; i += THREADS) atomicInc(&count[in[i] & 0xFFu], 0xFFFFFFFFu);
    __syncthreads();
    if (unsigned c = count[t]) atomicAdd(&bins[t], c);
}
