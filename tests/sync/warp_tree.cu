// A tree inside each warp: read, wait, write, wait.
// launch grid 1 block 128, twin: race at line 11 or 13 or 19
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[128];
    unsigned t = threadIdx.x, lane = t % 32;
    s[t] = 1;
    __syncwarp();
    for (unsigned d = 16; d > 0; d /= 2) {
        unsigned v = lane < d ? s[t + d] : 0;
        __syncwarp();
        if (lane < d) s[t] += v;
#if ORDER
        __syncwarp();
#endif
    }
    __syncwarp();
    out[t] = s[t - lane] == 32;
}
