// The lanes of a warp turn an array round in place, through volatile: all must have read before one writes.
// launch grid 1 block 32, twin in both images: race at line 10 or 14
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ volatile unsigned s[32];
    unsigned t = threadIdx.x;
    s[t] = t;
    __syncwarp();
    unsigned v = s[31 - t];
#if ORDER
    __syncwarp();
#endif
    s[t] = v;
    __syncwarp();
    out[t] = s[t] == 31 - t;
}
