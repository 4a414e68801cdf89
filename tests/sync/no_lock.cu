// A lock that every block takes; the twin's blocks have one each.
// launch grid 4 block 32, twin: race at line 10
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    if (threadIdx.x == 0) {
        unsigned *lock = &work[64 + (ORDER ? 0 : blockIdx.x)];
        while (atomicCAS(lock, 0u, 1u)) {}
        __threadfence(); // spare
        work[0] += 1;
        __threadfence();
        atomicExch(lock, 0u);
        out[blockIdx.x] = 1;
    }
}
