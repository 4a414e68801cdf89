// __syncthreads_or as the barrier before the merge: blocks that have counted nothing leave; volatile flags
#include "warpwise.h"

LAUNCH(histogram, .block = {256}, .per_sm = 8);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[256];
    count[threadIdx.x] = 0;
    __syncthreads();
    bool any = false;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&count[in[i] & 255], 1u);
        any = true;
    }
    if (!__syncthreads_or(any)) return;
    const unsigned mine = *(volatile unsigned *)&count[threadIdx.x];
    if (mine) atomicAdd(&bins[threadIdx.x], mine);
}
