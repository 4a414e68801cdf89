// The halves of a warp come to two different __syncwarp(): they meet all the same, as the mask names both.
// launch grid 1 block 32, twin: race at line 16
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x;
    if (t < 16) {
        s[t] = t + 1;
        __syncwarp(ORDER ? 0xffffffffu : 0xffffu);
    } else {
        s[t] = t + 1;
        __syncwarp(ORDER ? 0xffffffffu : 0xffff0000u);
    }
    unsigned other = 31 - t;
    out[t] = s[other] == other + 1;
}
