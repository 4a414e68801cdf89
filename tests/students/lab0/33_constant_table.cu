// coefficients in constant memory, a table of device function pointers
#include "warpwise.h"

struct Line { float slope, shift; };
__constant__ Line line = {2.0f, 1.0f};

typedef float (*op_t)(float);
__device__ float mul(float x) { return line.slope * x; }
__device__ float add(float x) { return line.shift + x; }
__device__ op_t const table[] = {mul, add};

LAUNCH(scale, .block = {256}, .tile = {1024});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    for (int k = 0; k < 4; k++) {
        int i = (blockIdx.x * 4 + k) * blockDim.x + threadIdx.x;
        if (i >= n) break;
        float x = in[i];
        for (int o = 0; o < 2; o++) x = table[o](x);
        out[i] = x;
    }
}
