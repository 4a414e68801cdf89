// Connected components: labels sink by atomicMin, and are looked at past all caches until none sinks any more.
// launch grid 1 block 64, twin: race at line 17 or 20 or 21
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned label[65];
    unsigned t = threadIdx.x;
    label[t] = t;
    if (t == 0) label[64] = 64;
    __syncthreads();
    int changed;
    do {
        changed = 0;
#if ORDER
        unsigned a = ((volatile unsigned *)label)[t], b = ((volatile unsigned *)label)[t + 1];
#else
        unsigned a = label[t], b = label[t + 1];
#endif
        if (t % 16 != 15 && a != b) {
            atomicMin(&label[t + 1], a);
            atomicMin(&label[t], b);
            changed = 1;
        }
    } while (__syncthreads_or(changed));
    out[t] = label[t] == t / 16 * 16;
}
