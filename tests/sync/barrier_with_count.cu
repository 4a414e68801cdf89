// __syncthreads_count is a barrier like any other.
// launch grid 1 block 64, twin: race at line 14
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    s[t] = t;
#if ORDER
    int n = __syncthreads_count(t < 10);
#else
    int n = 10;
#endif
    out[t] = n == 10 && s[63 - t] == 63 - t;
}
