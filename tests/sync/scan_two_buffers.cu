// Hillis and Steele's scan with two buffers: one barrier a step is enough, because a buffer rests for a step.
// launch grid 1 block 128, twin: race at line 12 or 13
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[2][128];
    unsigned t = threadIdx.x, now = 0;
    s[0][t] = 1;
    __syncthreads();
    for (unsigned d = 1; d < 128; d *= 2, now ^= 1) {
        unsigned *to = s[now ^ 1], *from = s[now];
        unsigned sum = t >= d ? from[t] + from[t - d] : from[t];
        to[t] = sum;
#if ORDER
        __syncthreads();
#endif
    }
    out[t] = s[now][t] == t + 1;
}
