// refused: out of bounds at line 16; wrong output
// one uint4 too many: rounds n / 4 up
#include "warpwise.h"

LAUNCH(histogram, .block = {1024}, .per_sm = 2);

extern "C" __global__ void histogram(const unsigned *__restrict__ in, unsigned *__restrict__ bins, int n)
{
    __shared__ unsigned count[256];
    if (threadIdx.x < 256) count[threadIdx.x] = 0;
    __syncthreads();

    const uint4 *in4 = (const uint4 *)in;
    int me = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    for (int i = me; i < (n + 3) / 4; i += all) {
        uint4 q = in4[i];
        atomicAdd(&count[q.x & 255], 1u);
        atomicAdd(&count[q.y & 255], 1u);
        atomicAdd(&count[q.z & 255], 1u);
        atomicAdd(&count[q.w & 255], 1u);
    }
    if (me < n % 4) atomicAdd(&count[in[n / 4 * 4 + me] & 255], 1u);

    __syncthreads();
    if (threadIdx.x < 256) atomicAdd(&bins[threadIdx.x], count[threadIdx.x]);
}
