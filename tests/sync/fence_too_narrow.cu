// A hand-over to another block needs the device's fence; the block's own is not enough.
// launch grid 2 block 64, twin: race at line 20
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    if (blockIdx.x == 0) {
        work[threadIdx.x] = threadIdx.x;
#if ORDER
        __threadfence();
#else
        __threadfence_block();
#endif
        __syncthreads();
        if (threadIdx.x == 0) atomicExch(&work[300], 1u);
    } else {
        if (threadIdx.x == 0)
            while (atomicAdd(&work[300], 0u) == 0) {
            }
        __syncthreads();
        out[threadIdx.x] = work[63 - threadIdx.x] == 63 - threadIdx.x;
    }
}
