// A named barrier for 64 threads; the twin's second half waits for 96, which never come.
// launch grid 1 block 64, twin: deadlock at line 10 or 12
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    s[t] = t;
    if (t < 32 || ORDER)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 1, 96;" ::: "memory"); // spare
    out[t] = s[63 - t] == 63 - t;
}
