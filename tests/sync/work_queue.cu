// Blocks draw items from a counter: one barrier shows the item to all, a second one waits until all have seen it.
// launch grid 3 block 64, twin: race at line 9 or 14
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned item;
    unsigned t = threadIdx.x;
    for (;;) {
        if (t == 0) item = atomicAdd(&work[0], 1u);
        __syncthreads();
#if !ORDER
        if (item >= 6) break; // and the next draw may overtake the slow ones
#endif
        unsigned i = item;
#if ORDER
        __syncthreads();
        if (i >= 6) break;
#endif
        out[i * 64 + t] = 1;
    }
}
