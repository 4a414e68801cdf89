// libcu++: cuda::atomic_ref with block scope in shared memory, device scope for the merge, relaxed order
#include <cuda/atomic>
#include "warpwise.h"

constexpr int BINS = 256;
LAUNCH(histogram, .block = {BINS}, .per_sm = 8);

using in_block = cuda::atomic_ref<unsigned, cuda::thread_scope_block>;
using on_device = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[BINS];
    in_block(count[threadIdx.x]).store(0, cuda::memory_order_relaxed);
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        in_block(count[in[i] % BINS]).fetch_add(1, cuda::memory_order_relaxed);
    __syncthreads();
    on_device(bins[threadIdx.x]).fetch_add(count[threadIdx.x], cuda::memory_order_relaxed);
}
