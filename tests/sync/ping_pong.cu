// Two blocks take turns at a value: whoever's turn it is adds one, fences, and passes the turn on.
// launch grid 2 block 32, twin: race at line 12 or 13
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    volatile unsigned *turn = work + 64;
    if (threadIdx.x) return;
    for (unsigned round = 0; round < 5; round++) {
        while (*turn % 2 != blockIdx.x) {
        }
        __threadfence(); // spare
        unsigned before = work[0];
        work[0] = before + 1;
#if ORDER
        __threadfence();
#endif
        *turn = *turn + 1;
        out[blockIdx.x * 5 + round] = before == 2 * round + blockIdx.x;
    }
}
