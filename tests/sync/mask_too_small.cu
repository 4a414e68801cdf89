// The mask must name every lane whose store is read: eight are not enough for sixteen.
// launch grid 1 block 32, twin: race at line 17
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
#else
        if (t < 8) __syncwarp(0xff);
        else __syncwarp(0xff00);
#endif
        out[t] = s[15 - t] == 15 - t;
    }
}
