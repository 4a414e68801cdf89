// The same between two warps of a block, in shared memory.
// launch grid 1 block 64, twin: race at line 12 or 21
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned value;
    __shared__ volatile unsigned flag;
    unsigned t = threadIdx.x;
    if (t == 0) flag = 0;
    __syncthreads();
    if (t == 0) {
        value = 7;
#if ORDER
        __threadfence_block();
#endif
        flag = 1;
    }
    if (t == 32) {
        while (!flag) {}
        __threadfence_block(); // spare
        out[0] = value == 7;
    }
}
