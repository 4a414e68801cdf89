// Shared atomics find a maximum; a barrier stands before the plain read, and another one before it is cleared.
// launch grid 1 block 96, twin: race at line 11 or 17
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned most;
    unsigned t = threadIdx.x, good = 1;
    if (t == 0) most = 0;
    __syncthreads();
    for (unsigned round = 1; round < 4; ++round) {
        atomicMax(&most, t * round);
        __syncthreads();
        good &= most == 95 * round;
#if ORDER
        __syncthreads();
#endif
        if (t == 0) most = 0;
        __syncthreads();
    }
    out[t] = good;
}
