// A value and a volatile flag between two blocks, with a fence on either side.
// launch grid 2 block 32, twin: race at line 9 or 18
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    volatile unsigned *flag = work + 8;
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) {
            work[0] = 42;
#if ORDER
            __threadfence();
#endif
            *flag = 1;
            out[0] = 1;
        } else {
            while (!*flag) {}
            __threadfence(); // spare
            out[1] = work[0] == 42;
        }
    }
}
