// An mbarrier: each thread arrives when its word stands, and waits for the phase before it reads another's.
// launch grid 1 block 64, twin: race at line 18 or 24
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[64];
    __shared__ unsigned long long bar;
    unsigned t = threadIdx.x, done = 0, at = (unsigned)__cvta_generic_to_shared(&bar);
    unsigned long long state;
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(64) : "memory");
    __syncthreads();
    unsigned sum = 0;
    for (unsigned round = 0; round < 3; round++) {
        for (int half = 0; half < 2; half++) {
            unsigned word;
            done = !ORDER;
            if (half == 0)
                s[t] = t + round;
            asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
            while (!done)
                asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                             : "=r"(done) : "r"(at), "l"(state) : "memory");
            if (half == 0) {
                word = s[63 - t];
                sum += word;
            }
        }
    }
    out[t] = sum == 3 * (63 - t) + 3;
}
