// each thread counts runs of equal values in a register before it adds them: few atomics if all are alike
#include "warpwise.h"

constexpr int kThreads = 512;
LAUNCH(histogram, .block = {kThreads}, .per_sm = 4);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[256];
    if (threadIdx.x < 256) count[threadIdx.x] = 0;
    __syncthreads();
    unsigned run = 0, value = 0;
    for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) {
        const unsigned v = in[i] & 255;
        if (v != value && run != 0) {
            atomicAdd(&count[value], run);
            run = 0;
        }
        value = v;
        run++;
    }
    if (run) atomicAdd(&count[value], run);
    __syncthreads();
    if (threadIdx.x < 256 && count[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], count[threadIdx.x]);
}
