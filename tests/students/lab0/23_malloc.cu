// thread 0 of the block mallocs a buffer for all, the block stages through it, then frees it
// not passed: technique; too slow
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .per_sm = 2);

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    __shared__ float *buffer;
    if (threadIdx.x == 0) buffer = (float *)malloc(blockDim.x * sizeof(float));
    __syncthreads();
    float *b = buffer;
    if (b == NULL) { // heap used up: go without
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
            out[i] = 2.0f * in[i] + 1.0f;
        return;
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        b[threadIdx.x] = in[i];
        out[i] = 2.0f * b[threadIdx.x] + 1.0f;
    }
    __syncthreads();
    if (threadIdx.x == 0) free(b);
}
