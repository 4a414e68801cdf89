// Each block leaves a sum, a fence, a ticket; the block that draws the last ticket adds them up.
// launch grid 6 block 64, twin: race at line 9 or 21
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned last;
    unsigned t = threadIdx.x;
    if (t == 0) {
        work[blockIdx.x] = blockIdx.x + 1;
#if ORDER
        __threadfence();
#endif
        last = atomicAdd(&work[100], 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
#if ORDER
        __threadfence(); // spare
#endif
        unsigned sum = 0;
        for (unsigned b = 0; b < gridDim.x; ++b) sum += ((volatile unsigned *)work)[b];
        out[0] = sum == 21;
    }
    if (blockIdx.x == 0 && t) out[t] = 1;
}
