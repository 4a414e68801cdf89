// Every element that is read was written, also those behind the end.
// launch grid 1 block 64, twin: never_written at line 10
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    if (ORDER || t < 60) s[t] = t < 60 ? t : 0;
    __syncthreads();
    out[t] = s[63 - t] < 64;
}
