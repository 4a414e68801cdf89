// A tile is filled and read in turns: a barrier before and one behind the reads.
// launch grid 1 block 64, twin: race at line 9 or 11
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned tile[64];
    unsigned t = threadIdx.x, sum = 0;
    for (unsigned m = 0; m < 4; ++m) {
        tile[t] = work[m * 64 + t] + m;
        __syncthreads();
        for (unsigned i = 0; i < 64; ++i) sum += tile[i];
#if ORDER
        __syncthreads();
#endif
    }
    out[t] = sum == 64 * 6;
}
