// Each half of the block has a barrier of its own.
// launch grid 1 block 128, twin: race at line 13
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[128];
    unsigned t = threadIdx.x, half = t / 64;
    s[t] = t;
#if ORDER
    if (half) asm volatile("bar.sync 2, 64;" ::: "memory");
    else asm volatile("bar.sync 1, 64;" ::: "memory");
#endif
    out[t] = s[half * 64 + 63 - t % 64] == half * 64 + 63 - t % 64;
}
