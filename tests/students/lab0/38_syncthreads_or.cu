// the block goes on as long as any thread has work: __syncthreads_or as loop condition, ballots for the guard
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .per_sm = 8);

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool more = i < n;
    while (__syncthreads_or(more)) {
        unsigned who = __ballot_sync(0xffffffff, more);
        if (who >> (threadIdx.x & 31) & 1) {
            out[i] = scalbnf(in[i], 1) + 1.0f;
            i += gridDim.x * blockDim.x;
            more = i < n;
        }
    }
}
