// A release store and an acquire load need no fence; relaxed ones order nothing.
// launch grid 2 block 32, twin: race at line 8 or 18
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) {
            work[0] = 42;
#if ORDER
            asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(work + 8) : "memory");
#else
            asm volatile("st.relaxed.gpu.global.u32 [%0], 1;" ::"l"(work + 8) : "memory");
#endif
            out[0] = 1;
        } else {
            unsigned seen = 0;
            while (!seen) asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(work + 8) : "memory");
            out[1] = work[0] == 42;
        }
    }
}
