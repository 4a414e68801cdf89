// Blelloch's scan: up the tree and down again, a barrier at every level.
// launch grid 1 block 64, twin: race at line 20 or 21 or 22
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[128];
    unsigned t = threadIdx.x, step = 1;
    s[2 * t] = s[2 * t + 1] = 1;
    for (unsigned d = 64; d > 0; d /= 2, step *= 2) {
        __syncthreads();
        if (t < d) s[step * (2 * t + 2) - 1] += s[step * (2 * t + 1) - 1];
    }
    if (t == 0) s[127] = 0;
    for (unsigned d = 1; d < 128; d *= 2) {
        step /= 2;
#if ORDER
        __syncthreads();
#endif
        if (t < d) {
            unsigned left = s[step * (2 * t + 1) - 1];
            s[step * (2 * t + 1) - 1] = s[step * (2 * t + 2) - 1];
            s[step * (2 * t + 2) - 1] += left;
        }
    }
    __syncthreads();
    out[t] = s[2 * t] == 2 * t && s[2 * t + 1] == 2 * t + 1;
}
