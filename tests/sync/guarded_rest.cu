// A guard around all the rest of a kernel may hold barriers: nobody else has anything to do.
// launch grid 1 block 64, twin: barrier_divergent at line 11
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    if (t >= 40) out[t] = 1;
    if (t < 40) {
        s[t] = t;
        __syncthreads();
        out[t] = s[39 - t] == 39 - t;
    }
#if !ORDER
    work[t] = t;
#endif
}
