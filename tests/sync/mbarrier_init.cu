// An mbarrier is initialised by one thread: the others arrive behind a barrier.
// launch grid 1 block 64, twin: race at line 9 or 13
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned long long bar;
    unsigned t = threadIdx.x, done = 0, at = (unsigned)__cvta_generic_to_shared(&bar);
    unsigned long long state;
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(64) : "memory");
#if ORDER
    __syncthreads();
#endif
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
    while (ORDER && !done)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(at), "l"(state) : "memory");
    out[t] = 1;
}
