// Two warps read, the third overwrites: it must wait for both readers.
// launch grid 1 block 96, twin: race at line 10 or 17
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x, warp = t / 32, lane = t % 32, v = 1;
    if (warp == 2) s[lane] = 1;
    __syncthreads();
    if (warp == 0) v = s[lane];
    if (warp == 0 && ORDER) asm volatile("bar.arrive 1, 64;" ::: "memory");
    if (warp == 1) v = s[31 - lane];
    if (warp == 1) asm volatile("bar.arrive 2, 64;" ::: "memory");
    if (warp == 2) {
        if (ORDER) asm volatile("bar.sync 1, 64;" ::: "memory");
        asm volatile("bar.sync 2, 64;" ::: "memory");
        s[lane] = 2;
    }
    out[t] = v == 1;
}
