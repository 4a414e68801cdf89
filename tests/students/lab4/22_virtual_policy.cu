// object oriented: a Counter with virtual functions, SharedCounter derives from it, each thread has its own object
#include "warpwise.h"

LAUNCH(histogram, .block = {256}, .per_sm = 8);

struct Counter {
    __device__ virtual void reset() = 0;
    __device__ virtual void count(unsigned value) = 0;
    __device__ virtual void flush(unsigned *to) = 0;
};

struct SharedCounter final : Counter {
    unsigned *cell;
    __device__ explicit SharedCounter(unsigned *c) : cell(c) {}
    __device__ void reset() override
    {
        cell[threadIdx.x] = 0;
        __syncthreads();
    }
    __device__ void count(unsigned value) override { atomicAdd(&cell[value & 255], 1u); }
    __device__ void flush(unsigned *to) override
    {
        __syncthreads();
        atomicAdd(&to[threadIdx.x], cell[threadIdx.x]);
    }
};

__device__ void run(Counter &c, const unsigned *in, unsigned *bins, int n)
{
    c.reset();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) c.count(in[i]);
    c.flush(bins);
}

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned cell[256];
    SharedCounter c(cell);
    run(c, in, bins, n);
}
