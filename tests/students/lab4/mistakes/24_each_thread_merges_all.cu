// refused: too many instructions at line 13; wrong output
// each thread adds all bins, so every count is 128 times too large
// advice: line 13: write 'threadIdx.x; k < 256; k += blockDim.x' instead of '0; k < 256; ++k'
#include "warpwise.h"

LAUNCH(histogram, .block = {128}, .per_sm = 12);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned own[256]; for (int k = threadIdx.x; k < 256; k += 128) own[k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) atomicAdd(&own[in[i] & 0xff], 1); __syncthreads();
    for (int k = 0; k < 256; ++k) {
        atomicAdd(bins + k, own[k]);
    }
}
