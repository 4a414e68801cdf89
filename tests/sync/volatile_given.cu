// One lane gives another a value by a volatile flag and a fence; a third looks how far it is, for what it is worth.
// launch grid 1 block 32, twin: race at line 12 or 21
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ volatile unsigned seen, flag;
    __shared__ unsigned value;
    unsigned t = threadIdx.x;
    if (t == 0) flag = seen = value = 0;
    __syncthreads();
    if (t == 3) {
        value = t;
        seen = 1;
#if ORDER
        __threadfence_block();
#endif
        flag = 1;
    } else if (t == 20) {
        while (!flag) {}
        __threadfence_block(); // spare
        out[0] = value == 3 && seen == 1;
    } else if (t == 7) {
        out[1] = seen < 2;
    }
}
