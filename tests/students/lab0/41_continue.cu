// loop over tiles with a barrier at its top; continue and divergent scalar tail in the body
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .per_sm = 8);

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    __shared__ float s[1024];
    for (int first = blockIdx.x * 1024; first < n; first += gridDim.x * 1024) {
        __syncthreads();
        for (int k = threadIdx.x; k < 1024; k += 256)
            if (first + k < n) s[k] = in[first + k];
        __syncthreads();
        const int k = 4 * threadIdx.x, i = first + k;
        if (i >= n) continue;
        if (i + 4 <= n) {
            *(float4 *)(out + i) = make_float4(2 * s[k] + 1, 2 * s[k + 1] + 1, 2 * s[k + 2] + 1, 2 * s[k + 3] + 1);
            continue;
        }
        for (int j = 0; i + j < n; j++) out[i + j] = 2 * s[k + j] + 1;
    }
}
