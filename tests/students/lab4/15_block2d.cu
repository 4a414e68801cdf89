// a two-dimensional block {32, 16}: row y of the block is a warp, linear rank by hand
#include "warpwise.h"

enum { WIDTH = 32, HEIGHT = 16, ALL = WIDTH * HEIGHT };

LAUNCH(histogram, .block = {WIDTH, HEIGHT}, .per_sm = 4);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[8][32];
    const int rank = threadIdx.y * WIDTH + threadIdx.x;
    if (threadIdx.y < 8) count[threadIdx.y][threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * ALL + rank; i < n; i += gridDim.x * ALL) {
        unsigned v = in[i] & 255;
        atomicAdd(&count[v >> 5][v & 31], 1u);
    }
    __syncthreads();
    if (threadIdx.y < 8) atomicAdd(&bins[threadIdx.y * 32 + threadIdx.x], count[threadIdx.y][threadIdx.x]);
}
