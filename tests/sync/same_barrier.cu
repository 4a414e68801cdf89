// All warps must meet at the same __syncthreads, even when each comes to one.
// launch grid 1 block 64, twin: barrier_mismatch at line 12 or 13
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    s[t] = t;
#if ORDER
    __syncthreads();
#else
    if (t < 32) __syncthreads();
    else __syncthreads();
#endif
    out[t] = s[63 - t] == 63 - t;
}
