// A sequence lock: readers look at the number before and after, and begin again when a writer was there in between.
// launch grid 2 block 32, twin under some seed: race at line 17 or 18 or 29 or 30
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    volatile unsigned *number = work;
#if ORDER
    volatile unsigned *data = work + 32;
#else
    unsigned *data = work + 32; // readers read while the writer writes, though they throw it away
#endif
    if (threadIdx.x) return;
    if (blockIdx.x == 0) {
        for (unsigned n = 1; n <= 4; n++) {
            *number = 2 * n - 1;
            __threadfence(); // spare
            data[0] = n;
            data[1] = 2 * n;
            __threadfence(); // spare
            *number = 2 * n;
        }
        return;
    }
    unsigned seen, a, b, right = 1;
    do {
        do {
            seen = *number;
            __threadfence(); // spare
            a = data[0];
            b = data[1];
            __threadfence(); // spare
        } while (seen % 2 || *number != seen);
        right &= b == 2 * a;
    } while (seen < 8);
    out[0] = right;
}
