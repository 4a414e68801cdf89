// lab0: technique
// 59: only the loads go astray, by 64-bit atomics; the stores are beyond reproach.
#include "warpwise.h"
enum { EACH = 16, BLOCK = 256 };
LAUNCH(scale, .block = {BLOCK}, .tile = {BLOCK * EACH * 2});
extern "C" __global__ void scale(const float *in, float *out, int n)
{
    __shared__ float own[BLOCK * EACH * 2];
    int first = blockIdx.x * BLOCK * EACH * 2;
    for (int k = 0; k < EACH; k++) {
        int at = (threadIdx.x * EACH + k) * 2, i = first + at;
        if (i + 1 < n) {
            unsigned long long two = atomicOr((unsigned long long *)&in[i], 0ull);
            own[at] = __uint_as_float((unsigned)two);
            own[at + 1] = __uint_as_float((unsigned)(two >> 32));
        } else if (i < n) {
            own[at] = in[i];
        }
    }
    __syncthreads();
    for (int k = threadIdx.x; k < BLOCK * EACH * 2; k += BLOCK)
        if (first + k < n) out[first + k] = 2.0f * own[k] + 1.0f;
}
