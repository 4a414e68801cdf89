// An asynchronous copy is done only after a wait; then a barrier shows it to the others.
// launch grid 1 block 64, twin: race at line 9 or 14
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    unsigned at = (unsigned)__cvta_generic_to_shared(&s[t]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(work + t) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
#if ORDER
    __syncthreads();
#endif
    out[t] = s[63 - t] == 0;
}
