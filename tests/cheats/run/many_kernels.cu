// lab0: passed | not passed
// 53: names by the thousand.
#define T(a) extern "C" __global__ void k##a() {}
#define T4(a) T(a##0) T(a##1) T(a##2) T(a##3)
#define T5(a) T4(a##0) T4(a##1) T4(a##2) T4(a##3)
#define T6(a) T5(a##0) T5(a##1) T5(a##2) T5(a##3)
#define T7(a) T6(a##0) T6(a##1) T6(a##2) T6(a##3)
T7(0) T7(1) T7(2) T7(3)
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
