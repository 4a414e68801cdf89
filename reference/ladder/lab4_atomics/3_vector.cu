// Rung 3, full marks: 16 bytes a load.
// Flaw that the last step removes: 1056 blocks finish together and merge 256 counters each, 270,336 additions to the
// same 256 bins, at the very end, when there is nothing else to do. Blocks of 1024 threads make a quarter of that.
#include "warpwise.h"

LAUNCH(histogram, .block = {256}, .per_sm = 8);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) count[b] = 0;
    __syncthreads();
    const uint4 *in4 = reinterpret_cast<const uint4 *>(in);
    int n4 = n / 4, stride = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < n4; i += stride) {
        uint4 v = in4[i];
        atomicAdd(&count[v.x & 255], 1u);
        atomicAdd(&count[v.y & 255], 1u);
        atomicAdd(&count[v.z & 255], 1u);
        atomicAdd(&count[v.w & 255], 1u);
    }
    if (first < n - 4 * n4) // the last one to three elements
        atomicAdd(&count[in[4 * n4 + first] & 255], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        if (count[b] > 0) atomicAdd(&bins[b], count[b]);
}
