// Threads that have returned are not waited for; those that skip the barrier and go on are.
// launch grid 1 block 96, twin: barrier_divergent at line 13
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[96];
    unsigned t = threadIdx.x;
    out[t] = 1;
#if ORDER
    if (t >= 50) return;
#endif
    s[t] = t;
    if (ORDER || t < 50) __syncthreads();
    if (t < 50) out[t] = s[49 - t] == 49 - t;
    else out[t] = s[t] == t;
}
