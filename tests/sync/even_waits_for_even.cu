// Even threads wait for even threads on a counter; odd ones do other work.
// launch grid 1 block 32, twin: race at line 12 or 19
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned count, s[32];
    unsigned t = threadIdx.x;
    if (t == 0) count = 0;
    __syncthreads();
    out[t] = 1;
    if (t % 2 == 0) {
        s[t] = t;
#if ORDER
        __threadfence_block();
        atomicAdd(&count, 1u);
        while (atomicAdd(&count, 0u) < 16) {}
        __threadfence_block(); // spare
#endif
        out[t] = s[30 - t] == 30 - t;
    }
}
