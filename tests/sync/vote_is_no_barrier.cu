// A vote makes lanes meet but orders no memory: __syncwarp does.
// launch grid 1 block 32, twin: race at line 14
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x;
    s[t] = t;
#if ORDER
    __syncwarp();
#else
    __any_sync(~0u, t == 3);
#endif
    out[t] = s[31 - t] == 31 - t;
}
