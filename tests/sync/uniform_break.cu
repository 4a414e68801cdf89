// A loop with a barrier that all threads leave together.
// launch grid 1 block 64, twin: deadlock at line 12 or 15
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x, i = 0;
    for (;; ++i) {
        s[t] = i;
        __syncthreads();
        unsigned stop = s[ORDER ? 0 : t] == (ORDER ? 3 : t / 32 + 2);
        __syncthreads();
        if (stop) break;
    }
    if (!ORDER) asm volatile("bar.sync 1, 96;" ::: "memory"); // spare
    out[t] = i == 3;
}
