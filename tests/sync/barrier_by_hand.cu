// A barrier of the block made of an atomic counter in shared memory: arrive, and wait until all have come.
// launch grid 1 block 64, twin: race at line 19 or 21 or 23 or 25
#define ORDER 1 // the twin has 0
__device__ void meet(unsigned *count, unsigned all)
{
#if ORDER
    __threadfence_block();
#endif
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) < all) {}
    __threadfence_block(); // spare
}
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned count, v[64];
    unsigned t = threadIdx.x;
    if (t == 0) count = 0;
    __syncthreads();
    v[t] = t;
    meet(&count, 64);
    unsigned other = v[63 - t];
    meet(&count, 128);
    v[t] = other;
    meet(&count, 192);
    out[t] = v[63 - t] == t;
}
