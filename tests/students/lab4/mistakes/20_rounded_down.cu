// refused: wrong output
// the number of rounds a block makes is rounded down: the last numbers are forgotten
#include <cassert>
#include <limits>
#include "warpwise.h"

static const int kBins = 256;
static const int kThreads = 1024;
static const int kBlocks = 264; // two for each of 132 multiprocessors

LAUNCH(histogram, .block = {kThreads}, .grid = {kBlocks});

template <typename T> __device__ __host__ constexpr const T &smaller(const T &a, const T &b) { return b < a ? b : a; }

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[kBins];
    assert(gridDim.x == kBlocks);
    if (threadIdx.x < kBins) count[threadIdx.x] = 0;
    __syncthreads();
    // a contiguous piece for each block, a multiple of 1024 long
    const int pieces = (n + kThreads - 1) / kThreads, each = pieces / kBlocks;
    const long long begin = 1LL * blockIdx.x * each * kThreads;
    const long long end = smaller<long long>(begin + 1LL * each * kThreads, n);
    for (long long i = begin + threadIdx.x; i < end; i += kThreads) atomicAdd_block(&count[in[i] & (kBins - 1)], 1u);
    __syncthreads();
    if (threadIdx.x < kBins) atomicAdd(&bins[threadIdx.x], count[threadIdx.x]);
}
