// Blocks write parts of their own; the twin's parts overlap by one element.
// launch grid 3 block 32, twin: race at line 7 or 8
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    unsigned i = blockIdx.x * 32 + threadIdx.x;
    work[i] = i;
    if (!ORDER && threadIdx.x == 31) work[i + 1] = 0;
    out[i] = 1;
}
