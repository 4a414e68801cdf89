// Elements that the kernel does not write may be read through the read-only path, beside those that it writes.
// launch grid 2 block 64, twin: stale_read at line 9
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    unsigned t = threadIdx.x, first = blockIdx.x * 64;
    if (t % 2 == 0) work[first + t] = t;
    __syncwarp();
    unsigned old = __ldg(&work[first + t / 2 * 2 + ORDER]);
    out[first + t] = old == (ORDER ? work[first + t / 2 * 2 + 1] : t / 2 * 2);
}
