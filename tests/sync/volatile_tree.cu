// A tree inside each warp through a volatile pointer: that makes no lane wait for another, __syncwarp() does.
// launch grid 1 block 64, twin in both images: race at line 12
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned part[64];
    volatile unsigned *s = part;
    unsigned t = threadIdx.x, lane = t % 32;
    s[t] = 1;
    __syncwarp();
    for (unsigned d = 16; d > 0; d /= 2) {
        if (lane < d) s[t] += s[t + d];
#if ORDER
        __syncwarp();
#endif
    }
    __syncwarp();
    out[t] = s[t - lane] == 32;
}
