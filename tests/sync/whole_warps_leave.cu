// Whole warps leave before the barrier, which then waits for the others alone; the twin's leave without having stored.
// launch grid 1 block 128, twin: never_written at line 15
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[128];
    unsigned t = threadIdx.x;
#if !ORDER
    if (t >= 96) return;
#endif
    s[t] = t;
    if (t >= 64 && ORDER) return;
    __syncthreads();
    if (t >= 64) return;
    out[t] = t < 32 || ORDER ? s[63 - t] == 63 - t : s[t + 64] != 0;
}
