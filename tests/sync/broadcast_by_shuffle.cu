// A value is broadcast by shuffle and then stored by one lane of each group; the others read it.
// launch grid 1 block 64, twin: race at line 11 or 15
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned base[16];
    unsigned t = threadIdx.x, x = t * t;
    x = __shfl_sync(~0u, x, t & 28);
    unsigned group = t / 4;
    if (t % 4 == 3)
        base[group] = x;
#if ORDER
    __syncwarp();
#endif
    out[t] = base[group] == (t & ~3u) * (t & ~3u);
}
