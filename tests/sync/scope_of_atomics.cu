// An atomic of block scope protects within the block only.
// launch grid 3 block 32, twin: race_atomic at line 10
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    if (threadIdx.x == 0) {
#if ORDER
        atomicAdd(work, 1u);
#else
        atomicAdd_block(work, 1u);
#endif
    }
    out[blockIdx.x * 32 + threadIdx.x] = 1;
}
