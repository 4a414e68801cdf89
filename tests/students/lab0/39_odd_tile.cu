// odd sizes: 224 threads, tile of 1120, long long indices, printf under #ifdef DEBUG
#include <stdio.h>
#include "warpwise.h"

LAUNCH(scale, .block = {224}, .tile = {1120});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    long long first = (long long)blockIdx.x * 1120;
    long long end = first + 1120;
    if (end > n) end = n;
    for (long long i = first + threadIdx.x; i < end; i += 224) {
        out[i] = 2.0f * in[i] + 1.0f;
#ifdef DEBUG
        printf("%lld: %g -> %g\n", i, in[i], out[i]);
#endif
    }
#ifdef DEBUG
    if (threadIdx.x == 0) printf("block %d done\n", blockIdx.x);
#endif
}
