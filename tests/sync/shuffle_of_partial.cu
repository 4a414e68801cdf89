// Only even lanes have a value; each odd lane takes that of its neighbour below.
// launch grid 1 block 64, twin: never_written at line 11
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *zeros)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x, from = ORDER ? t & 30 : t | 1;
    if (t % 2 == 0) s[t] = t + 1;
    __syncwarp();
    unsigned x = 0, y;
    if (t % 2 == 0 || !ORDER) x = s[t];
    y = __shfl_sync(0xffffffff, x, from);
    out[t] = y == (t & ~1u) + 1;
}
