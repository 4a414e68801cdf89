// libcu++: an array of cuda::atomic<unsigned, thread_scope_block> in shared memory, placement by bytes, ++ operator
#include <cuda/atomic>
#include <cuda/std/array>
#include <new>
#include "warpwise.h"

using counter = cuda::atomic<unsigned, cuda::thread_scope_block>;

LAUNCH(histogram, .block = {512}, .per_sm = 4);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    alignas(counter) __shared__ unsigned char raw[256 * sizeof(counter)];
    counter *count = reinterpret_cast<counter *>(raw);
    for (int b = threadIdx.x; b < 256; b += blockDim.x) new (count + b) counter(0u);
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        count[in[i] & 255].fetch_add(1u, cuda::std::memory_order_relaxed);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(bins + b, count[b].load());
}
