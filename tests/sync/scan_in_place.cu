// A scan in place: all read, barrier, all write, barrier.
// launch grid 1 block 64, twin: race at line 11 or 15
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    s[t] = 1;
    __syncthreads();
    for (unsigned d = 1; d < 64; d *= 2) {
        unsigned v = t >= d ? s[t - d] : 0;
#if ORDER
        __syncthreads();
#endif
        s[t] += v;
        __syncthreads();
    }
    out[t] = s[t] == t + 1;
}
