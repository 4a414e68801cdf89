// Asynchronous copies that arrive at an mbarrier are done when its phase is complete; a barrier of the block says nothing.
// launch grid 1 block 64, twin: race at line 12 or 26
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[64];
    __shared__ unsigned long long bar;
    unsigned t = threadIdx.x, done = 0, at = (unsigned)__cvta_generic_to_shared(&bar);
    unsigned word = (unsigned)__cvta_generic_to_shared(&s[t]);
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(65) : "memory");
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(word), "l"(work + t) : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at) : "memory");
#if ORDER
    if (t == 0) {
        unsigned long long state;
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
    }
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(at) : "memory");
#else
    __syncthreads();
    (void)done;
#endif
    out[t] = s[63 - t] == 0;
}
