// Steps wider than a warp meet at the block's barrier, narrower ones at the warp's.
// launch grid 1 block 128, twin: race at line 14 or 15
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[128];
    unsigned t = threadIdx.x;
    s[t] = (t * 37) % 128;
    __syncthreads();
    for (unsigned size = 2; size <= 128; size *= 2) {
        for (unsigned d = size / 2; d > 0; d /= 2) {
            unsigned other = t ^ d;
            if (other > t) {
                unsigned a = s[t], b = s[other];
                if ((a > b) == ((t & size) == 0)) s[t] = b, s[other] = a;
            }
            if (d >= 32 || d == 1) __syncthreads();
#if ORDER
            else __syncwarp();
#endif
        }
        __syncthreads();
    }
    out[t] = s[t] == t;
}
