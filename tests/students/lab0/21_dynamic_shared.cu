// stages everything in dynamic shared memory, two arrays carved out of it, barriers outside of branches
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {1024}, .shared = 2 * 1024 * sizeof(float));

extern __shared__ float pool[];

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    float *a = pool, *b = pool + 1024;
    int first = blockIdx.x * 1024;
    int count = min(1024, n - first);
    for (int k = threadIdx.x; k < count; k += blockDim.x) a[k] = in[first + k];
    __syncthreads();
    // compute backwards, just to need the barrier
    for (int k = threadIdx.x; k < count; k += blockDim.x) b[count - 1 - k] = 2.0f * a[count - 1 - k] + 1.0f;
    __syncthreads();
    for (int k = threadIdx.x; k < count; k += blockDim.x) out[first + k] = b[k];
}
