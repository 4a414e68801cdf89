// Sixteen lanes wait for each other with a mask of their own.
// launch grid 1 block 32, twin: race at line 14
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x;
    out[t] = 1;
    if (t < 16) {
        s[t] = t;
#if ORDER
        __syncwarp(0xffff);
#endif
        out[t] = s[15 - t] == 15 - t;
    }
}
