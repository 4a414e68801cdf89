// Baseline of lab 0: each thread takes a chunk of 32 neighbours of its own.
//
// It looks tidy, as on a CPU, where each core should have its own cache lines. On a GPU the lanes of a warp run the
// same instruction at the same moment, so in each one the 32 lanes touch 32 elements that lie 128 bytes apart: 32
// sectors are moved for 128 bytes of use.
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {256 * 32});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 32; k++) {
        int i = thread * 32 + k;
        if (i < n) out[i] = 2.0f * in[i] + 1.0f;
    }
}
