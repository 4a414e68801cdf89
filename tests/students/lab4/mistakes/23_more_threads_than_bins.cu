// refused: out of bounds at line 11; out of bounds at line 17
// 1024 threads clear and merge 256 bins
// advice: put 'if (t < 256)' before each of the statements of lines 11, 17
#include "warpwise.h"

LAUNCH(histogram, .block = {1024}, .per_sm = 2);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned own[256]; const unsigned t = threadIdx.x;
    own[t] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(own + in[i] % 256, 1);
    __syncthreads();

    atomicAdd(&bins[t], own[t]);
}
