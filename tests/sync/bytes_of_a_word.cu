// Four threads share a word, a byte each: no race. Two to a byte are one.
// launch grid 1 block 64, twin: race at line 8
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned char s[64];
    unsigned t = threadIdx.x;
    s[ORDER ? t : t / 2] = (unsigned char)t;
    __syncthreads();
    out[t] = ORDER ? s[63 - t] == 63 - t : 1;
}
