// Asynchronous copies two stages ahead: a wait for all but the latest group, then a barrier, before a stage is read.
// launch grid 1 block 32, twin: race at line 16 or 25
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned stage[2][32];
    unsigned t = threadIdx.x, good = 1;
    work[t] = t, work[t + 32] = t + 32, work[t + 64] = t + 64;
    __syncthreads();
    for (unsigned i = 0; i < 4; ++i) {
        if (i < 3) {
            unsigned at = (unsigned)__cvta_generic_to_shared(&stage[i % 2][t]);
            unsigned *from = work + i * 32 + t;
            asm volatile(
                //
                "cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from) : "memory");
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
        if (i) {
            asm volatile("cp.async.wait_group 1;" ::: "memory");
#if ORDER
            __syncthreads();
#endif
            unsigned j = 31 - t;
            good &= stage[(i - 1) % 2][j] == (i - 1) * 32 + j;
            __syncthreads();
        }
    }
    out[t] = good;
}
