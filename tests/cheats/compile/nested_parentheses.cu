// lab0: does not build | passed
// 45: a parser's stack.
#define P4(x) ((((((((((x))))))))))
#define P5(x) P4(P4(P4(P4(P4(P4(P4(P4(P4(P4(x))))))))))
#define P6(x) P5(P5(P5(P5(P5(P5(P5(P5(P5(P5(x))))))))))
#define P7(x) P6(P6(P6(P6(P6(P6(P6(P6(P6(P6(x))))))))))
int a = P7(P7(P7(1)));
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
