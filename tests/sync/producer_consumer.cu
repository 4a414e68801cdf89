// One warp fills, the other empties; it arrives at `full` and waits at `empty`.
// launch grid 1 block 64, twin: race at line 13 or 17 or 30
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned box[32];
    unsigned t = threadIdx.x, lane = t % 32, good = 1;
    if (t < 32) {
        for (unsigned i = 0; i < 4; ++i) {
#if ORDER
            if (i) asm volatile("bar.sync 2, 64;" ::: "memory");
#endif
            box[lane] = i * 100 + lane;
            asm volatile("bar.arrive 1, 64;" ::: "memory");
#if !ORDER
            asm volatile("bar.sync 3, 64;" ::: "memory");
            box[31 - lane] = 0;
            asm volatile("bar.sync 2, 64;" ::: "memory");
#endif
        }
#if ORDER
        asm volatile("bar.sync 2, 64;" ::: "memory"); // spare
#endif
    } else {
        for (unsigned i = 0; i < 4; ++i) {
            asm volatile("bar.sync 1, 64;" ::: "memory");
#if !ORDER
            asm volatile("bar.arrive 3, 64;" ::: "memory");
#endif
            good &= box[31 - lane] == i * 100 + 31 - lane;
            asm volatile("bar.arrive 2, 64;" ::: "memory");
        }
    }
    out[t] = good;
}
