// Two groups in flight: the one that is read must be complete.
// launch grid 1 block 32, twin: race at line 10 or 19
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[2][32];
    unsigned t = threadIdx.x;
    for (unsigned g = 0; g < 2; ++g) {
        unsigned at = (unsigned)__cvta_generic_to_shared(&s[g][t]);
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(work + g * 32 + t) : "memory");
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
#if ORDER
    asm volatile("cp.async.wait_group 0;" ::: "memory");
#else
    asm volatile("cp.async.wait_group 1;" ::: "memory");
#endif
    __syncthreads();
    out[t] = s[1][t] == 0;
}
