// A counter of the whole grid must be atomic.
// launch grid 3 block 32, twin: race at line 10
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    if (threadIdx.x == 0) {
#if ORDER
        atomicAdd(work, 1u);
#else
        work[0] += 1;
#endif
    }
    out[blockIdx.x * 32 + threadIdx.x] = 1;
}
