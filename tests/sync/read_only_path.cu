// What a barrier orders is read plainly; the twin reads it through the read-only path, which sees no store.
// launch grid 2 block 64, twin: stale_read at line 12
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    unsigned t = threadIdx.x, first = blockIdx.x * 64;
    work[first + t] = t;
    __syncthreads();
#if ORDER
    unsigned other = work[first + 63 - t];
#else
    unsigned other = __ldg(&work[first + 63 - t]);
#endif
    out[first + t] = other == 63 - t;
}
