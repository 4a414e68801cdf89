// A tile handed over across warps by one barrier.
// launch grid 1 block 128, twin: race at line 12
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[128];
    unsigned t = threadIdx.x;
    s[t] = t * 3;
#if ORDER
    __syncthreads();
#endif
    out[t] = s[127 - t] == (127 - t) * 3;
}
