// A ring of two slots: the producing warp waits for "empty" and says "full", the consuming warp the other way round.
// launch grid 1 block 64, twin: race at line 12 or 23
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned ring[2][32];
    unsigned lane = threadIdx.x % 32, good = 1;
    if (threadIdx.x < 32) {
        for (unsigned i = 0; i < 6; ++i) {
            unsigned slot = i % 2;
            if (i >= 2) asm volatile("bar.sync %0, 64;" ::"r"(3 + slot) : "memory");
            ring[slot][lane] = i * 32 + lane;
            asm volatile("bar.arrive %0, 64;" ::"r"(1 + slot) : "memory");
        }
    } else {
        for (unsigned i = 0; i < 6; ++i) {
            unsigned slot = i % 2;
            asm volatile("bar.sync %0, 64;" ::"r"(1 + slot) : "memory");
#if !ORDER
            if (i < 4) asm volatile("bar.arrive %0, 64;" ::"r"(3 + slot) : "memory");
#endif
            //
            good &= ring[slot][31 - lane] == i * 32 + 31 - lane || !ORDER;
#if ORDER
            if (i < 4) asm volatile("bar.arrive %0, 64;" ::"r"(3 + slot) : "memory");
#endif
        }
    }
    out[threadIdx.x] = good;
}
