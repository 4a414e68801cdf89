// a struct on the device heap keeps the loop's state: operator new and delete in each thread of warp 0 of the block
#include "warpwise.h"

#define THREADS 256

struct Range {
    int begin, end, step;
    __device__ Range(int b, int e, int s) : begin(b), end(e), step(s) {}
};

LAUNCH(histogram, .block = {THREADS}, .per_sm = 4);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[256];
    __shared__ Range *range;
    count[threadIdx.x] = 0;
    if (threadIdx.x == 0) range = new Range(blockIdx.x * THREADS, n, gridDim.x * THREADS);
    __syncthreads();
    if (range == nullptr) __trap();
    for (int i = range->begin + threadIdx.x; i < range->end; i += range->step) atomicAdd(&count[in[i] & 255], 1u);
    __syncthreads();
    if (threadIdx.x == 0) delete range;
    atomicAdd(&bins[threadIdx.x], count[threadIdx.x]);
}
