// Global memory is shared as well: a barrier of the block orders its own part.
// launch grid 2 block 64, twin: race at line 11
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    unsigned t = threadIdx.x, first = blockIdx.x * 64;
    work[first + t] = t;
#if ORDER
    __syncthreads();
#endif
    out[first + t] = work[first + 63 - t] == 63 - t;
}
