// CUB: cub::BlockHistogram with BLOCK_HISTO_ATOMIC, Composite() for each tile of the grid stride
#include <cub/block/block_histogram.cuh>
#include "warpwise.h"

#define T 256
#define ITEMS 4

LAUNCH(histogram, .block = {T}, .per_sm = 8);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    using Histo = cub::BlockHistogram<unsigned char, T, ITEMS, 256, cub::BLOCK_HISTO_ATOMIC>;
    __shared__ Histo::TempStorage temp;
    __shared__ unsigned count[256];

    Histo histo(temp);
    histo.InitHistogram(count);
    __syncthreads();
    int tile = blockIdx.x * T * ITEMS;
    for (; tile + T * ITEMS <= n; tile += gridDim.x * T * ITEMS) {
        unsigned char v[ITEMS];
#pragma unroll
        for (int k = 0; k < ITEMS; k++) v[k] = in[tile + k * T + threadIdx.x] & 255;
        histo.Composite(v, count);
    }
    // the last, partial tile belongs to one block
    for (int i = tile + threadIdx.x; i < n; i += T) atomicAdd(&count[in[i] & 255], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], count[threadIdx.x]);
}
