// lab0: does not build | passed
// 45: a name of two hundred thousand characters.
#define J2(a, b) a##b
#define J(a, b) J2(a, b)
#define N0 aaaaaaaaaaaaaaaa
#define N1 J(N0, N0)
#define N2 J(N1, N1)
#define N3 J(N2, N2)
#define N4 J(N3, N3)
#define N5 J(N4, N4)
#define N6 J(N5, N5)
#define N7 J(N6, N6)
#define N8 J(N7, N7)
#define N9 J(N8, N8)
#define N10 J(N9, N9)
#define N11 J(N10, N10)
#define N12 J(N11, N11)
#define N13 J(N12, N12)
__device__ int N13;
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
