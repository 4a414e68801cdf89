// Atomics need no order among themselves, but a plain read of what they made does.
// launch grid 1 block 64, twin: race at line 10 or 14
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned bins[8];
    unsigned t = threadIdx.x;
    if (t < 8) bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[t % 8], 1u);
#if ORDER
    __syncthreads();
#endif
    out[t] = bins[(t + 1) % 8] == 8;
}
