// A flag that is raised by an atomic and polled by loads past the L1.
// launch grid 3 block 32, twin: race at line 16 or 17
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    if (threadIdx.x) return;
    if (blockIdx.x == 0) {
        work[1] = 7;
#if ORDER
        __threadfence();
#endif
        atomicExch(&work[0], 1u);
    } else {
        while ((blockIdx.x == 1 ? __ldcg(&work[0]) : __ldcv(&work[0])) == 0) { }
        __threadfence();
        unsigned seven = work[1];
        out[blockIdx.x] = seven == 7;
    }
}
