// A lock around a plain counter: the fence makes the last holder's store part of the hand-over.
// launch grid 4 block 32, twin: race at line 11
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&work[1], 0u, 1u)) {}
#if ORDER
        __threadfence(); // spare
#endif
        work[0] += 1;
#if ORDER
        __threadfence();
#endif
        atomicExch(&work[1], 0u);
        out[blockIdx.x] = 1;
    }
}
