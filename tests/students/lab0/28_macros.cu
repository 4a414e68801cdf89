// macros hide the loop and the index
#include "warpwise.h"
#define GLOBAL_ID   (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL_THREADS (gridDim.x * blockDim.x)
#define FOR_ALL(i, n) for (unsigned int i = GLOBAL_ID; i < (n); i += ALL_THREADS)
#define A 2.0f
#define B 1.0f
#define F(x) (A * (x) + B)

LAUNCH(scale, .block = {256}, .per_sm = 8);

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    FOR_ALL (i, n)
        out[i] = F(in[i]);
}
