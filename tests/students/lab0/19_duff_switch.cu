// switch with fall-through for what is left, uint4 and bit casts
#include "warpwise.h"

LAUNCH(scale, .block = {128}, .tile = {512});

__device__ __forceinline__ unsigned f(unsigned bits)
{
    return __float_as_uint(__fmaf_rn(2.0f, __uint_as_float(bits), 1.0f));
}

extern "C" __global__ void __launch_bounds__(128) scale(const float *in, float *out, int n)
{
    int i = (blockIdx.x << 9) | (threadIdx.x << 2);
    if (i >= n) return;
    switch (n - i) {
    default: {
        uint4 v = *(const uint4 *)(in + i);
        *(uint4 *)(out + i) = uint4{f(v.x), f(v.y), f(v.z), f(v.w)};
        break;
    }
    case 3: out[i + 2] = __uint_as_float(f(__float_as_uint(in[i + 2]))); // fall through
    case 2: out[i + 1] = __uint_as_float(f(__float_as_uint(in[i + 1]))); // fall through
    case 1: out[i] = __uint_as_float(f(__float_as_uint(in[i])));
    }
}
