// A bitonic sort within a warp by shuffles alone; only the result goes through shared memory.
// launch grid 1 block 32, twin: race at line 19
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x, x = t * 11 % 32;
    for (unsigned size = 2; size <= 32; size *= 2)
        for (unsigned d = size / 2; d > 0; d /= 2) {
            unsigned y = __shfl_xor_sync(~0u, x, d);
            bool up = (t & size) == 0, low = (t & d) == 0;
            x = up == low ? min(x, y) : max(x, y);
        }
    s[t] = x;
#if ORDER
    __syncwarp();
#endif
    unsigned next = t == 31 ? 32 :
        s[t + 1];
    out[t] = x + 1 == next;
}
