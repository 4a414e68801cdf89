// The warp that comes last (an atomic counter says so) adds up what the others left.
// launch grid 1 block 128, twin: race at line 12 or 21
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned count, part[4];
    unsigned t = threadIdx.x;
    if (t == 0) count = 0;
    __syncthreads();
    out[t] = 1;
    if (t % 32 == 0) {
        part[t / 32] = t / 32 + 1;
#if ORDER
        __threadfence_block();
#endif
        if (atomicAdd(&count, 1u) == 3) {
#if ORDER
            __threadfence_block(); // spare
#endif
            volatile unsigned *p = part;
            out[t] = p[0] + p[1] + p[2] + p[3] == 10;
        }
    }
}
