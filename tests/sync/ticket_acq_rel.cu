// The last block's ticket is an acquiring and releasing atomic, and needs no fence; a relaxed one does.
// launch grid 5 block 32, twin: race at line 9 or 19
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    unsigned t = threadIdx.x, ticket;
    if (t == 0) {
        unsigned *mine = work + blockIdx.x;
        *mine = blockIdx.x + 1;
#if ORDER
        asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(ticket) : "l"(work + 100) : "memory");
#else
        asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 1;" : "=r"(ticket) : "l"(work + 100) : "memory");
#endif
        if (ticket == gridDim.x - 1) {
            unsigned sum = 0;
            for (unsigned b = 0; b < gridDim.x; ++b)
                //
                sum += work[b];
            out[0] = sum == 15;
        }
    }
}
