// Each block waits for a flag of the one before and passes the sum on.
// launch grid 5 block 32, twin: race at line 12 or 14
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    unsigned b = blockIdx.x, before = 0;
    volatile unsigned *flag = work + 64;
    if (threadIdx.x == 0) {
        if (b) {
            while (!flag[b - 1]) {}
            __threadfence(); // spare
            before = work[b - 1];
        }
        work[b] = before + b;
#if ORDER
        __threadfence();
#endif
        flag[b] = 1;
        out[b] = before + b == b * (b + 1) / 2;
    } else if (b == 0) {
        out[32 + threadIdx.x] = 1;
    }
}
