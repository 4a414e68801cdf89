// A lock for many readers or one writer: negative while somebody writes.
// launch grid 4 block 32, twin: race at line 13 or 14 or 23
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    int *lock = (int *)&work[0];
    volatile unsigned *unused = 0;
    (void)unused;
    if (threadIdx.x == 0) {
        if (blockIdx.x % 2) {
            while (atomicCAS(lock, 0, -1) != 0) __nanosleep(10);
            __threadfence(); // spare
            work[32]++;
            work[33] = work[32] * 2;
            __threadfence();
            atomicExch(lock, 0);
        } else {
            for (;;) {
                int seen = atomicAdd(lock, 0);
                if (seen >= 0 && atomicCAS(lock, seen, seen + 1) == seen) break;
            }
            __threadfence(); // spare
            out[blockIdx.x] = work[33] == 2 * work[32];
#if ORDER
            __threadfence();
#endif
            atomicSub(lock, 1);
        }
    }
}
