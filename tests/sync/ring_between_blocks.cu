// A producer's block and a consumer's share a ring of four; each publishes how far it is.
// launch grid 2 block 32, twin: race at line 12 or 22
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    volatile unsigned *written = &work[128], *taken = &work[160];
    unsigned *slot = work, t = threadIdx.x, right = 1;
    for (unsigned n = 0; n < 10; n++) {
        if (blockIdx.x == 0) {
            if (t == 0) while (n - *taken >= 4) {}
            __syncthreads();
            slot[n % 4 * 32 + t] = n * 32 + t;
#if ORDER
            __threadfence();
#endif
            __syncthreads();
            if (t == 0) *written = n + 1;
        } else {
            if (t == 0) while (*written <= n) __nanosleep(20);
            __threadfence(); // spare
            __syncthreads();
            right &= slot[n % 4 * 32 + (t ^ 1)] == n * 32 + (t ^ 1);
            __threadfence();
            __syncthreads();
            if (t == 0) *taken = n + 1;
        }
    }
    if (blockIdx.x) out[t] = right;
}
