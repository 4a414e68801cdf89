// Groups of sixteen lanes, each with its own mask.
// launch grid 1 block 64, twin: race at line 9 or 13
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x, mask = 0xffffu << (t & 16);
    for (unsigned d = 8; d > 0; d /= 2) {
        s[t] = t;
#if ORDER
        __syncwarp(mask);
#endif
        unsigned v = s[t ^ d];
        __syncwarp(mask);
        out[t] = v == (t ^ d);
    }
}
