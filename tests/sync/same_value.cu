// Many threads may raise one flag with the same value; with different values the last one wins.
// launch grid 1 block 64, twin: race at line 10
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned found;
    unsigned t = threadIdx.x;
    if (t == 0) found = 0;
    __syncthreads();
    if (t % 5 == 0) found = ORDER ? 1 : t;
    __syncthreads();
    out[t] = found != 0;
}
