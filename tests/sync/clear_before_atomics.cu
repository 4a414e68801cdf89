// Bins are cleared, then counted: a barrier stands between the plain stores and the atomics.
// launch grid 1 block 64, twin: race at line 8 or 12
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned bins[64];
    unsigned t = threadIdx.x;
    bins[t] = 0;
#if ORDER
    __syncthreads();
#endif
    atomicAdd(&bins[63 - t], 1u);
    __syncthreads();
    out[t] = bins[t] == 1;
}
