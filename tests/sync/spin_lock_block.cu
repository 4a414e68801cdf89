// Warps of a block take turns at a counter in shared memory.
// launch grid 1 block 128, twin: race at line 15
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned lock, count;
    unsigned t = threadIdx.x;
    if (t == 0) lock = count = 0;
    __syncthreads();
    if (t % 32 == 0) {
#if ORDER
        while (atomicCAS(&lock, 0u, 1u)) {}
        __threadfence_block(); // spare
#endif
        count += 1;
#if ORDER
        __threadfence_block();
        atomicExch(&lock, 0u);
#endif
    }
    __syncthreads();
    out[t] = count == 4;
}
